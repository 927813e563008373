import t from 'tap'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { scrub } from '#errors/scrub/scrub.ts'
import { scrubMessage } from '#lib/scrub/scrub-text.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { harmlessTexts, harmlessValues, secretTexts } from './fixtures/secrets.ts'

type Json = Record<string, unknown>

const rules = compileRules(defaultRules)
const stored = (event: Json) => JSON.stringify(scrub(normaliseEvent(event), rules).event)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const encode = encodeURIComponent

/** Every place of an event where an application may put text. */
const places: Record<string, (text: string) => Json> = {
  message: text => ({ message: text }),
  'a formatted message': text => ({ logentry: { message: 'failed: %s', params: [text] } }),
  'the value of an exception': text => ({ exception: { values: [{ type: 'E', value: text }] } }),
  'a stack frame variable': text => ({
    exception: { values: [{ type: 'E', stacktrace: { frames: [{ function: 'f', vars: { text } }] } }] }
  }),
  'the message of a breadcrumb': text => ({ breadcrumbs: { values: [{ message: text }] } }),
  'the data of a breadcrumb': text => ({ breadcrumbs: { values: [{ data: { url: `https://x.test/?q=${encode(text)}` } }] } }),
  extra: text => ({ extra: { deep: [{ er: text }] } }),
  'a tag': text => ({ tags: [['detail', text]] }),
  context: text => ({ contexts: { app: { detail: text } } }),
  'a transaction name': text => ({ transaction: text }),
  'the URL of a request': text => ({ request: { url: `https://x.test/a?q=${encode(text)}&page=2` } }),
  'a path': text => ({ request: { url: `https://x.test/a/${encode(text)}/b` } }),
  'a query string': text => ({ request: { query_string: `q=${encode(text)}&page=2` } }),
  'a form in a query': text => ({ request: { query_string: `page=2&q=${encode(text).replaceAll('%20', '+')}` } }),
  'pairs of a query string': text => ({ request: { query_string: [['q', text]] } }),
  'a redirect within a URL': text => ({ request: { url: `https://x.test/in?next=${encode(`/out?q=${encode(text)}`)}` } }),
  Referer: text => ({ request: { headers: { Referer: `https://x.test/a?q=${encode(text)}` } } }),
  'a Referer pair': text => ({ request: { headers: [['Referer', `https://x.test/a?q=${encode(text)}`]] } }),
  'a JSON body': text => ({ request: { data: JSON.stringify({ list: [{ text }] }) } }),
  'a JSON body with escapes': text => ({ request: { data: `sent ${unicode(JSON.stringify({ text }))}` } }),
  'JSON within JSON': text => ({ request: { data: JSON.stringify({ body: JSON.stringify({ text }) }) } }),
  'a parsed body': text => ({ request: { data: { list: [{ text }] } } }),
  'a form': text => ({ request: { data: `page=2&q=${encode(text)}` } }),
  'base64 in a URL': text => ({ request: { url: `https://x.test/a?state=${encode(base64(`{"a":1,"text":${JSON.stringify(text)}}`))}` } }),
  'base64url in a path': text => ({
    request: { url: `https://x.test/a/${Buffer.from(`{"text":${JSON.stringify(text)}}`).toString('base64url')}` }
  }),
  'base64 in a message': text => ({ message: `payload ${base64(`the text is ${text}`)} was refused` }),
  'HTML in a message': text => ({ message: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</p>` })
}

/** As templates of pages write JSON into HTML. */
function unicode(json: string) {
  return json.replace(/["<>&']/g, character => `\\u00${character.charCodeAt(0).toString(16)}`)
}

for (const [where, place] of Object.entries(places))
  t.test(`no secret is stored: ${where}`, async t => {
    for (const [name, [text, ...secrets]] of Object.entries(secretTexts)) {
      const result = decodeAll(stored(place(text!)))

      for (const secret of secrets) t.notOk(result.includes(secret), `${name}: ${result}`)
    }
  })

t.test('the table has thousands of cases', async t => {
  t.ok(Object.keys(secretTexts).length * Object.keys(places).length >= 1000)
})

for (const [where, place] of Object.entries(places))
  t.test(`harmless text is stored unchanged: ${where}`, async t => {
    for (const text of harmlessTexts) {
      const event = normaliseEvent(place(text))

      t.equal(scrub(event, rules).event, event, text)
    }
  })

t.test('harmless members are stored unchanged', async t => {
  for (const extra of harmlessValues) {
    const event = { extra }

    t.equal(scrub(event, rules).event, event, JSON.stringify(extra))
  }
})

t.test('the rest of a text with a secret is kept', async t => {
  const kept: Record<string, string> = {
    'https://hooks.slack.com/services/T0/B0/abcdefghijklmnop said no': 'https://hooks.slack.com/services/[Filtered] said no',
    'https://a1b2c3d4e5f6a7b8@git.test/x.git': 'https://[Filtered]@git.test/x.git',
    'shop:S3cret@tcp(db:3306)/shop': 'shop:[Filtered]@tcp(db:3306)/shop',
    'login --user ann --password hunter22 --fast': 'login --user ann --password [Filtered] --fast',
    'curl -u ann:hunter22 https://x.test': 'curl -u ann:[Filtered] https://x.test',
    "CREATE USER ann WITH PASSWORD 'hunter22' VALID": "CREATE USER ann WITH PASSWORD '[Filtered]' VALID",
    '<user>ann</user><password>hunter22</password>': '<user>ann</user><password>[Filtered]</password>',
    'https://x.test/?next=%2Fa%3Ftoken%3Dhunter22%26b%3D1&page=2': 'https://x.test/?next=%2Fa%3Ftoken%3D%5BFiltered%5D%26b%3D1&page=2',
    'user%5Bpassword%5D=hunter22&user%5Bname%5D=ann': 'user%5Bpassword%5D=[Filtered]&user%5Bname%5D=ann',
    "INSERT INTO users (name, password) VALUES ('ann', 'it''s'), ('bob', lower('x, y'))":
      "INSERT INTO users (name, password) VALUES ('ann', '[Filtered]'), ('bob', [Filtered])",
    'INSERT INTO users (password, name) VALUES ($1, $2), (?, DEFAULT)': 'INSERT INTO users (password, name) VALUES ($1, $2), (?, DEFAULT)',
    '--b\nContent-Disposition: form-data; name="token"\n\na\nb\n--b\nContent-Disposition: form-data; name="page"\n\n2\n--b--':
      '--b\nContent-Disposition: form-data; name="token"\n\n[Filtered]\n--b\nContent-Disposition: form-data; name="page"\n\n2\n--b--',
    'ann has 078-05-1120 on file': 'ann has [Filtered] on file',
    'pay DE89 3704 0044 0532 0130 00 NOW PLEASE': 'pay [Filtered] NOW PLEASE'
  }

  for (const [text, expected] of Object.entries(kept)) t.equal(scrubMessage(text), expected)
})

t.test('members of a session and of credentials are scrubbed by their own names', async t => {
  t.same(scrub({ extra: { session: { id: 'abc', user: 'ann', cart: [1], csrf_token: 'abc' } } }, rules).event, {
    extra: { session: { id: '[Filtered]', user: 'ann', cart: [1], csrf_token: '[Filtered]' } }
  })
  t.same(scrub({ extra: { auth: { type: 'basic', user: 'ann', pass: 'abc', key: 'abc' } } }, rules).event, {
    extra: { auth: { type: 'basic', user: 'ann', pass: '[Filtered]', key: '[Filtered]' } }
  })
  t.same(scrub({ message: '{"session":{"id":"abc","user":"ann"},"auth":[{"token":"abc"}]}' }, rules).event, {
    message: '{"session":{"id":"[Filtered]","user":"ann"},"auth":[{"token":"[Filtered]"}]}'
  })
})

t.test('text that is encoded four times is scrubbed', async t => {
  let text = 'https://x.test/?token=hunter22'

  for (let n = 0; n < 4; n++) {
    text = `a=${encode(text)}`
    t.notMatch(decodeAll(scrubMessage(text)), 'hunter22')
  }
})

t.test('nested encodings are decoded in linear time', async t => {
  const pieces = [
    '%2525',
    '%25',
    '%7B%22a',
    'eyJhIjoi',
    'a/',
    'QUJD/',
    '\\u0022',
    '&quot;',
    '[[',
    '{"a":',
    '+%20',
    '%41+',
    'password%3D',
    'WITH PASSWORD '
  ]
  const wholes = [
    ...pieces,
    '--password ',
    '-u a:',
    '<a>',
    '<password>',
    '@tcp(',
    'a@tcp(',
    'Digest a=b,',
    'DE89 3704 ',
    '078-05-1120-',
    'code=',
    '://a@'
  ]

  for (const piece of wholes) {
    const long = piece.repeat(Math.ceil(50_000 / piece.length))
    const took = cpuMs(() => scrub({ message: long, extra: { a: base64(long), b: JSON.stringify([long]) } }, rules))

    t.ok(took < 2000, `${piece} took ${took} ms`)
  }
})

/** Undoes the encodings of the places, so that no secret hides in one. */
function decodeAll(json: string): string {
  const percent = json.replace(/(?:%[0-9A-Fa-f]{2})+/g, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
  const escapes = percent
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
  const text = escapes.replace(/\\u00([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const decoded = text.replace(
    /[A-Za-z0-9+/_-]{24,}={0,2}/g,
    run => `${run} ${Buffer.from(run, 'base64')} ${Buffer.from(run.slice(run.lastIndexOf('/') + 1), 'base64')}`
  )

  return text === json ? decoded : decoded + decodeAll(text)
}

t.test('parameters of log messages are secret by their name and by the text around them', async t => {
  const entryOf = (logentry: Json) => (scrub(normaliseEvent({ logentry }), rules).event as { logentry: Json }).logentry

  t.same(entryOf({ message: 'login of %s with password=%s', params: ['ann', 'hunter22'] }), {
    message: 'login of %s with password=%s',
    params: ['ann', '[Filtered]'],
    formatted: 'login of ann with password=[Filtered]'
  })
  t.same(entryOf({ message: '%(user)s sent %(password)s', params: { user: 'ann', password: 'hunter22' } }), {
    message: '%(user)s sent %(password)s',
    params: { user: 'ann', password: '[Filtered]' },
    formatted: 'ann sent [Filtered]'
  })
  t.same(entryOf({ message: 'token=%d of %s', params: [123456, 'ann'], formatted: 'TOKEN IS 123456, by ann' }), {
    message: 'token=%d of %s',
    params: ['[Filtered]', 'ann'],
    formatted: 'TOKEN IS [Filtered], by ann'
  })
  const harmless = { message: 'order %s of %s', params: ['17', 'ann'], formatted: 'order 17 of ann' }

  t.same(entryOf(harmless), harmless)
})
