import t from 'tap'
import { encodeEvent } from '#errors/normalise/encode.ts'
import { readFields } from '#errors/normalise/event-fields.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import fc from '../support/properties.ts'

type Json = Record<string, unknown>

const now = new Date('2026-11-20T12:00:00Z')
const read = (event: Json, sentAt?: unknown) => readFields(normaliseEvent(event), now, sentAt)
const modern = (event: Json) => normaliseEvent(event)
const json = (value: unknown) => JSON.stringify(value)

t.test('messages of five formats are normalised', async t => {
  for (const event of [
    { message: 'm' },
    { logentry: 'm' },
    { message: { message: 'm' } },
    { logentry: { message: 'm' } },
    { 'sentry.interfaces.Message': { message: 'm' } }
  ])
    t.same(modern(event), { logentry: { message: 'm' } }, json(event))
  t.same(modern({ message: { formatted: 'from Java' } }), { logentry: { formatted: 'from Java' } })
  t.same(modern({ message: '' }), {}, 'as Ruby has it beside exceptions')
  t.same(modern({ message: 'order 17', logentry: { message: 'order %s', params: [17] } }), {
    logentry: { message: 'order %s', params: [17], formatted: 'order 17' }
  })
})

t.test('a message template is formatted with its parameters', async t => {
  const formatted = (message: string, params: unknown) => (modern({ logentry: { message, params } }).logentry as Json).formatted

  t.equal(formatted('%s of %d', ['one', 2]), 'one of 2')
  t.equal(formatted('{} of {n} {constructor}', { 0: 'one', n: 2 }), 'one of 2 {constructor}')
  t.equal(formatted('%(who)s %s', { who: 'ann' }), 'ann %s')
  t.equal(formatted('100% of {}', [{ a: 1 }]), undefined)
})

t.test('attributes of old SDKs are renamed', async t => {
  const event = modern({
    'sentry.interfaces.Exception': { type: 'E', value: 'v' },
    'sentry.interfaces.Stacktrace': { frames: [{ function: 'f' }] },
    'sentry.interfaces.Http': { url: 'https://x.test/' },
    'sentry.interfaces.User': { id: 7 },
    'sentry.interfaces.Query': { query: 'SELECT 1' },
    'sentry.interfaces.Template': { filename: 'a.html' },
    'sentry.interfaces.Contexts': { os: { name: 'Linux' } },
    'sentry.interfaces.Breadcrumbs': { values: [{ message: 'b' }] },
    culprit: 'place.order',
    checksum: 'abc'
  })

  t.same(event, {
    fingerprint: ['abc'],
    exception: { values: [{ type: 'E', value: 'v' }] },
    stacktrace: { frames: [{ function: 'f' }] },
    request: { url: 'https://x.test/' },
    user: { id: '7' },
    query: { query: 'SELECT 1' },
    template: { filename: 'a.html' },
    contexts: { os: { name: 'Linux' } },
    breadcrumbs: { values: [{ message: 'b' }] },
    transaction: 'place.order'
  })
  t.equal(modern({ culprit: 'old', transaction: 'new' }).transaction, 'new')
  t.equal(modern({ culprit: 'old', transaction: '' }).transaction, 'old')
})

t.test('exceptions, threads and breadcrumbs come as a list, with values, or alone', async t => {
  for (const member of ['exception', 'threads', 'breadcrumbs']) {
    const one = { type: 'E' }

    for (const shape of [one, [one], { values: [one] }, [null, one, 7]])
      t.same(modern({ [member]: shape }), { [member]: { values: [one] } })
    for (const nothing of [null, [], 'x', { values: [] }, { values: null }]) t.notOk(json(modern({ [member]: nothing })).includes('[{'))
  }
})

t.test('frames and values are converted to their types', async t => {
  const frame = { function: 'f', module: 'm', lineno: '7', colno: 3, in_app: true, context_line: 'x()', vars: { a: 1 } }
  const first = (exception: unknown) => (modern({ exception }) as { exception: { values: Json[] } }).exception.values[0]!

  t.same(first({ type: 'E', stacktrace: [frame, null, 7] }).stacktrace, { frames: [{ ...frame, lineno: 7 }] })
  t.same((modern({ stacktrace: [frame, null, 7] }).stacktrace as Json).frames, [{ ...frame, lineno: 7 }])
  t.equal(first({ type: 'E', value: { code: 7 } }).value, '{"code":7}')
})

t.test('tags are a map, or pairs, and always text', async t => {
  const tags = { a: 'x', n: '7', yes: 'true', list: '1, 2' }
  const given = { ' a ': ' x ', n: 7, yes: true, list: [1, 2], empty: '', none: null, object: {} }

  t.same(modern({ tags: given }).tags, tags)
  t.same(modern({ tags: Object.entries(given) }).tags, tags)
  t.same(modern({ tags: [{ key: 'a', value: 'x' }, 'nonsense', [], [7, 7]] }).tags, { a: 'x' })
  t.same(modern({ tags: { 'two\nlines': 'a\nb' } }).tags, { 'two lines': 'a b' })
  t.same(modern({ tags: 7 }), {})
})

t.test('tags are bounded', async t => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`tag${n}${'k'.repeat(300)}`, 'v'.repeat(300)]))
  const { tags } = read({ tags: many, release: '1' })

  t.equal(Object.keys(tags).length, 50)
  t.equal(tags.release, '1', 'the derived ones come first')
  t.equal(read({}).tags.level, 'error', 'what does not say is an error')
  for (const [key, value] of Object.entries(tags)) t.ok(key.length <= 200 && value.length <= 200)
})

t.test('attributes such as release and user are also tags', async t => {
  const { tags } = read({
    level: 'warn',
    environment: 'production',
    release: 'shop@1',
    transaction: '/orders',
    server_name: 'web-1',
    request: { url: 'https://shop.test/orders?page=2#top' },
    contexts: {
      browser: { name: 'Firefox', version: '141.0' },
      os: { name: 'Linux' },
      runtime: { name: 'node', version: 'v24.0.0' },
      device: { family: 'iPhone', model: 'iPhone16,1' }
    },
    tags: { environment: 'told by a tag', mine: 'x' }
  })

  t.same(tags, {
    level: 'warning',
    environment: 'production',
    release: 'shop@1',
    transaction: '/orders',
    server_name: 'web-1',
    mine: 'x',
    browser: 'Firefox 141.0',
    'browser.name': 'Firefox',
    os: 'Linux',
    'os.name': 'Linux',
    runtime: 'node v24.0.0',
    'runtime.name': 'node',
    device: 'iPhone16,1',
    'device.family': 'iPhone',
    url: 'https://shop.test/orders'
  })
})

t.test('browser, system and device are parsed from the User-Agent', async t => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const collected = (agent: string) => {
    const { browser, os, device } = read({ request: { headers: [['USER-AGENT', agent]] } }).tags

    return [browser, os, device]
  }

  t.same(collected(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36`), [
    'Chrome 138.0.0.0',
    'Windows 10',
    undefined
  ])
  t.same(collected(`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.1`), [
    'Edge 138.0.1',
    'Windows 10',
    undefined
  ])
  t.same(
    collected('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'),
    ['Safari 18.1', 'macOS', 'Mac']
  )
  t.same(
    collected(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
    ),
    ['Safari 18.1', 'iOS 18.1', 'iPhone']
  )
  t.same(collected(`Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A) ${webkit} Chrome/126.0 Mobile Safari/537.36`), [
    'Chrome 126.0',
    'Android 14',
    'Pixel 8'
  ])
  t.same(collected('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'), ['Firefox 128.0', 'Linux', undefined])
  t.same(collected('curl/8.5.0'), ['curl 8.5.0', undefined, undefined])
  t.same(collected('nobody knows'), [undefined, undefined, undefined])
})

t.test('headers and cookies are maps, and the query is a string', async t => {
  const request = (given: Json) => modern({ request: given }).request as Json

  t.same(request({ headers: { Accept: ['a/b', 'c/d'], 'X-N': 7 } }).headers, { Accept: 'a/b, c/d', 'X-N': '7' })
  t.same(
    request({
      headers: [
        ['Accept', 'a/b'],
        ['X', ['1']],
        ['Accept', 'c/d']
      ]
    }).headers,
    { Accept: 'a/b, c/d', X: '1' }
  )
  for (const cookies of [
    'a=1; b=2',
    { a: '1', b: 2 },
    [
      ['a', '1'],
      ['b', '2']
    ]
  ])
    t.same(request({ cookies }).cookies, { a: '1', b: '2' })
  for (const query of [
    '?a=1&b=x%20y&a=2',
    'a=1&b=x%20y&a=2',
    [
      ['a', 1],
      ['b', 'x y'],
      ['a', '2']
    ]
  ])
    t.equal(request({ query_string: query }).query_string, 'a=1&b=x%20y&a=2')
  t.equal(request({ query_string: { a: ['1', '2'], b: 'x&y' } }).query_string, 'a=1&a=2&b=x%26y')
  t.equal(request({ query_string: { '?a': '?' } }).query_string, '%3Fa=?', 'a question mark that is part of a name stays one')
  t.same(request({ data: { a: [1] } }).data, { a: [1] })
  t.equal(request({ data: 'a=1' }).data, 'a=1')
  t.same(modern({ request: 'nonsense' }), {})
})

t.test('a user is identified by id, else e-mail, username or address', async t => {
  const key = (user: unknown) => read({ user }).user?.key

  t.equal(key({ id: 17, email: 'ann@example.com' }), 'id:17')
  t.equal(key({ id: '', email: ' ann@example.com ', username: 'ann' }), 'email:ann@example.com')
  t.equal(key({ username: 'ann', ip_address: '192.0.2.1' }), 'username:ann')
  t.equal(key({ ip_address: '192.0.2.1' }), 'ip:192.0.2.1')
  t.equal(key({ ip_address: '{{auto}}' }), undefined)
  t.equal(key({ id: '[Filtered]', email: null }), undefined)
  t.equal(key('ann'), 'id:ann')
  t.equal(key([]), undefined)
  t.same(read({ user: { id: 1 } }).user?.hash, read({ user: { id: '1', name: 'Ann' } }).user?.hash)
  t.notSame(read({ user: { id: 1 } }).user?.hash, read({ user: { username: '1' } }).user?.hash)
})

t.test('levels of other loggers map to the five Sentry levels', async t => {
  const level = (given: unknown) => read({ level: given }).level

  for (const candidate of ['fatal', 'error', 'warning', 'info', 'debug']) t.equal(level(candidate), candidate)
  t.same(['warn', 'WARNING', 'critical', 'notice', 'trace', 30, '50'].map(level), [
    'warning',
    'warning',
    'fatal',
    'info',
    'debug',
    'warning',
    'fatal'
  ])
  for (const unknown of [undefined, null, '', 'constructor', {}, 7]) t.equal(level(unknown), 'error')
})

t.test('times are seconds, fractions or RFC 3339, in UTC by default', async t => {
  const at = (timestamp: unknown) => read({ timestamp }).occurredAt.toISOString()
  const [seconds, iso] = [1_795_170_000, '2026-11-20T10:20:00.000Z']

  for (const same of [seconds, seconds * 1000, seconds * 1e6, String(seconds), `${seconds}.0`]) t.equal(at(same), iso, String(same))
  for (const same of [
    '2026-11-20T10:20:00',
    '2026-11-20 10:20',
    '2026-11-20T12:20:00+02:00',
    '2026-11-20T04:50:00.000000-0530',
    '2026-11-20t10:20:00.0Z'
  ])
    t.equal(at(same), iso, same)
  t.equal(at(seconds + 0.25), '2026-11-20T10:20:00.250Z')
  t.equal(at('2026-11-20T10:20:00.123456Z'), '2026-11-20T10:20:00.123Z')
  for (const wrong of ['2026', 'yesterday', '', true, [], '2026-11-20T10:20:00+99:99x', 1e300, -1, '9'.repeat(50)])
    t.equal(at(wrong), now.toISOString(), String(wrong))
})

t.test('clock drift is corrected by sent_at, and the original time is kept', async t => {
  const hourBehind = read({ timestamp: '2026-11-20T10:59:00Z' }, '2026-11-20T11:00:00Z')
  const year = read({ timestamp: '2031-01-01T00:00:00Z' }, '2031-01-01T00:00:10Z')

  t.equal(hourBehind.occurredAt.toISOString(), '2026-11-20T11:59:00.000Z')
  t.equal(year.occurredAt.toISOString(), '2026-11-20T11:59:50.000Z')
  t.equal(modern({ timestamp: '2031-01-01T00:00:00Z' }).timestamp, '2031-01-01T00:00:00Z')
  t.equal(
    read({ timestamp: '2026-11-20T11:59:00Z' }, '2026-11-20T11:59:30Z').occurredAt.toISOString(),
    '2026-11-20T11:59:00.000Z',
    'under way'
  )
  t.equal(read({ timestamp: '2026-11-20T11:59:00Z' }, 'nonsense').occurredAt.toISOString(), '2026-11-20T11:59:00.000Z')
  t.equal(read({ timestamp: '2026-11-20T12:03:00Z' }).occurredAt.toISOString(), '2026-11-20T12:03:00.000Z', 'a little ahead')
})

t.test('all formats of fingerprints, SDKs and modules are accepted', async t => {
  t.same(modern({ fingerprint: ['a', 7, true, null, {}] }).fingerprint, ['a', '7', 'true'])
  t.same(modern({ fingerprint: 'a' }).fingerprint, ['a'])
  t.same(modern({ fingerprint: [] }), {})
  t.equal((modern({ sdk: { name: 'sentry.php', version: '4' } }).sdk as Json).name, 'sentry.php')
  t.same(modern({ sdk: 'raven-python/6.10.0' }).sdk, { name: 'raven-python', version: '6.10.0' })
  t.same(modern({ modules: [{ name: 'django', version: '5' }] }).modules, { django: '5' })
  t.same(modern({ modules: { django: 5.2, broken: null } }).modules, { django: '5.2', broken: '' })
})

t.test('long texts are truncated with a note of their length', async t => {
  const text = 'x'.repeat(100_000)
  const { exception } = modern({ exception: { type: 'E', value: text } }) as { exception: { values: { value: string }[] } }
  const [{ value } = { value: '' }] = exception.values
  const frame = { context_line: text, vars: { v: text }, function: text, pre_context: Array(100).fill(text) }
  const event = modern({ message: text, exception: { type: text, stacktrace: { frames: [frame] } }, environment: text, extra: { text } })

  t.ok(value.length <= 8192)
  t.match(value, /x …\[91840 more characters\]$/)
  t.ok(json(event).length < 50_000)
  t.equal((event.environment as string).length, 200)
  t.match(json((event.exception as Json).values), /more characters/)
})

t.test('a long stack trace keeps its outermost and innermost frames', async t => {
  const frames = Array.from({ length: 10_000 }, (_, n) => ({ function: `f${n}` }))
  const { stacktrace } = modern({ stacktrace: { frames } }) as { stacktrace: { frames: Json[]; frames_omitted: number[] } }

  t.equal(stacktrace.frames.length, 250)
  t.same(stacktrace.frames_omitted, [50, 9800])
  t.equal(stacktrace.frames[49]!.function, 'f49')
  t.equal(stacktrace.frames[50]!.function, 'f9800')
  t.same(modern({ stacktrace }), { stacktrace })
})

t.test('the last hundred breadcrumbs are kept', async t => {
  const { values } = modern({ breadcrumbs: Array.from({ length: 300 }, (_, n) => ({ message: `${n}` })) }).breadcrumbs as { values: Json[] }

  t.equal(values.length, 100)
  t.same(values.at(-1), { message: '299' })
})

t.test('nested values beyond the limits are replaced with a note', async t => {
  const deep = { a: { b: { c: { d: { e: { f: { g: { h: 1, i: 2 }, list: [1, 2, 3] } } } } } } }
  const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`key${n}`, 'x'.repeat(1000)]))

  t.match(json(modern({ extra: deep })), /"g":"\{…2\}","list":"\[…3\]"/)
  const extra = modern({ extra: wide }).extra as Json

  t.ok(json(extra).length < 270_000)
  t.match(extra['…'], /^…\[\d+ more\]$/)
  t.same(modern({ extra }).extra, extra)
  t.match(json(modern({ extra: { list: Array(100_000).fill('text') } })), /more\]"\]/)
})

t.test('a stored event is at most 1 MiB', async t => {
  const long = 'é'.repeat(8000)
  const frames = Array.from({ length: 250 }, () => ({
    function: 'f',
    vars: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`v${n}`, long]))
  }))
  const crumbs = Array.from({ length: 100 }, (_, n) => ({ message: `${n}`, data: { long, again: long } }))
  const event = modern({ exception: { type: 'E', stacktrace: { frames } }, breadcrumbs: crumbs, extra: { a: long }, odd: { long } })
  const stored = encodeEvent(event)
  const kept = JSON.parse(stored.toString())

  t.ok(Buffer.byteLength(json(event)) > 1 << 20)
  t.ok(stored.length <= 1 << 20)
  t.same(kept.left_out.slice(0, 1), ['breadcrumbs'])
  t.equal(kept.exception.values[0].stacktrace.frames.length, 250)
  t.equal(encodeEvent({ message: 'm' }).toString(), '{"message":"m"}')
  for (const limit of [100_000, 10_000, 1000, 200]) t.ok(encodeEvent(event, limit).length <= limit)
})

t.test('keys such as __proto__ are ordinary keys', async t => {
  const event = JSON.parse(
    '{"__proto__":{"x":1},"constructor":"c","tags":{"__proto__":"p","constructor":"c"},"extra":{"__proto__":{"x":1}}}'
  )

  t.equal(json(modern(event)), '{"constructor":"c","tags":{"constructor":"c"},"extra":{}}')
  t.equal(read(event).tags.constructor, 'c')
  t.equal(({} as { x?: unknown }).x, undefined)
})

const member = fc.constantFrom(
  ...`message logentry exception threads stacktrace frames breadcrumbs values request headers cookies query_string data env user id email ip_address
  tags contexts browser os runtime name version extra modules sdk fingerprint level timestamp culprit transaction checksum vars context_line
  pre_context lineno in_app type value key params formatted debug_meta url sentry.interfaces.Http sentry.interfaces.Message …`.split(/\s+/)
)
const { event: anEvent } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.string({ unit: fc.constantFrom('a', '=', ';', '&', ' ', '\0', '\ud800', '?', '…', 'é') }),
    fc.dictionary(member, tie('value')),
    fc.array(tie('value'), { maxLength: 4 })
  ),
  event: fc.dictionary(member, tie('value'))
}))

t.test('normalising any JSON twice changes nothing', async () => {
  fc.assert(
    fc.property(anEvent, given => {
      const before = json(given)
      const once = { ...read(given as Json), event: modern(given as Json) }
      const twice = { ...read(once.event), event: modern(once.event) }

      if (json(given) !== before) throw new Error('The event that was given has changed.')
      if (json({ ...once, occurredAt: 0 }) !== json({ ...twice, occurredAt: 0 })) throw new Error(`${json(once)} is not ${json(twice)}`)
      if (/\\u0000|\\ud800/.test(json({ ...once, event: undefined }))) throw new Error(`Not to be stored: ${json(once)}`)
    }),
    { numRuns: 3000 }
  )
})
