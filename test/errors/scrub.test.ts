import t from 'tap'
import { readFields } from '#errors/normalise/event-fields.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { scrub } from '#errors/scrub/scrub.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { hasExactly } from '../support/has-exactly.ts'
import fc from '../support/properties.ts'

const compiledDefaults = compileRules(defaultRules)
type Json = Record<string, unknown>

const filtered = '[Filtered]'
const rules = { isEnabled: true, keepsIpAddresses: true, extraKeys: [] as string[], safeKeys: [] as string[] }
const json = (value: unknown) => JSON.stringify(value)
const clean = (event: Json, own: Partial<typeof rules> = {}) => scrub(event, compileRules({ ...rules, ...own })).event
const text = (message: string) => clean({ message }).message

const secretKeys =
  `password Password passwd user_password userPassword new-password PASSWORD1 db_pass pwd mysql_pwd passphrase secret client_secret
  clientSecret SECRET_KEY_BASE api_key apikey apiKey X-Api-Key API_KEY access_token accessToken refresh_token token auth_token csrftoken
  X-CSRF-Token _csrf xsrf-token auth basic_auth credentials awsCredentials AWS_SECRET_ACCESS_KEY authorization Authorization
  Proxy-Authorization HTTP_AUTHORIZATION private_key privateKey session sessionid session_id PHPSESSID JSESSIONID connect.sid cookie
  Cookie Set-Cookie HTTP_COOKIE jwt bearer otp cvv cvc ssn credit_card cardNumber signing_key encryptionKey`.split(/\s+/)

/** Objects below them have members of all kinds. */
const containerKeys = ['session', 'auth', 'basic_auth']

const harmlessKeys =
  `author authors authority authenticated token_count tokens max_tokens prompt_tokens tokenizer password_length password_changed_at
  passwords_expired secretary passed passenger bypass compass sessions session_count session_timeout cookie_name cookies_enabled key keys keyboard
  monkey primary_key card discard cardinality accessible credit id name email username url path path_info api_version state secret_name
  authorization_url session_idle bypass_way`.split(/\s+/)

t.test('the value under a key that names a secret is filtered, however the key is spelled', async t => {
  for (const key of secretKeys) {
    t.hasStrict(clean({ extra: { [key]: 'v' } }).extra, { [key]: filtered }, key)
    if (containerKeys.includes(key)) continue
    hasExactly(
      t,
      clean({ extra: { [key]: { nested: ['v'] } } }).extra,
      { [key]: /^cookie$/i.test(key) ? { nested: [filtered] } : filtered },
      key
    )
    hasExactly(t, clean({ request: { headers: [[key, 'v']] } }), { request: { headers: [[key, filtered]] } }, `${key} of a pair`)
    hasExactly(t, clean({ tags: [{ key, value: 'v' }] }), { tags: [{ key, value: filtered }] }, `${key} of a list`)
  }
  t.same(clean({ extra: { password: 123456, token: ['a', 'b'] } }), { extra: { password: filtered, token: filtered } })
})

t.test('keys that merely resemble secret keys are not filtered', async t => {
  for (const key of harmlessKeys) {
    const event = { extra: { [key]: 'v', deeper: { [key]: 17 } }, message: `${key}=v&${key}: v "${key}":"v"` }

    t.equal(clean(event), event, key)
  }
})

t.test('values without secrets are not filtered', async t => {
  const event = {
    extra: { password: '', token: null, has_password: true, secret: false, auth: {}, session: [], api_key: '********', pwd: filtered }
  }

  t.equal(clean(event), event)
})

const secrets = {
  'a password in a URL': ['postgres://shop:S3cret!x@db.test:5432/shop', 'S3cret!x'],
  'a password with an @ in it': ['amqp://u:p@ssw0rt@mq/', 'p@ssw0rt'],
  'a password without a user': ['redis://:S3cretpw@cache:6379/0', 'S3cretpw'],
  'a bearer token': ['Authorization was bearer abcdef0123456789', 'abcdef0123456789'],
  'basic credentials': ['sent Basic dXNlcjpwYXNzd29yZA== along', 'dXNlcjpwYXNzd29yZA'],
  'a JSON Web Token': ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.dGhpc2lzdGhlc2ln.', 'dGhpc2lzdGhlc2ln'],
  'a private key': ['key: -----BEGIN RSA PRIVATE KEY-----\nMIIEowIB\n-----END RSA PRIVATE KEY-----', 'MIIEowIB'],
  'half a private key': ['-----BEGIN PRIVATE KEY-----\\nMIIEowIB', 'MIIEowIB'],
  'an OpenSSH key': ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----', 'b3BlbnNzaC1r'],
  'a token of GitLab': ['using glpat-abcDEF123456_-xyz789', 'glpat-abcDEF123456_-xyz789'],
  'a token of GitHub': ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'ghp_abcdefghij'],
  'a key of Stripe': ['(sk_live_4eC39HqLyjWDarjtT1zdp7dc)', 'sk_live_4eC39'],
  'a token of Slack': ['"xoxb-123456789012-abcdefABCDEF"', 'xoxb-1234'],
  'a key of AWS': ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  'a key of Google': ['key=AIzaSyA-abcdefghijklmnopqrstuvwxyz01234', 'AIzaSyA'],
  'a token of npm': ['npm_abcdefghijklmnopqrstuvwxyz0123456789', 'npm_abcdef'],
  'a card': ['paid with 4111111111111111', '4111111111111111'],
  'a card in groups': ['paid with 4111-1111-1111-1111.', '4111-1111'],
  'a card between other numbers': ['17 4111 1111 1111 1111 2027 123', '1111 1111'],
  'an American Express': ['3782 822463 10005', '822463'],
  'a Mastercard': ['5555555555554444,', '5555555555554444']
}

const assigned = {
  'a query': ['https://x.test/?page=2&access_token=hunter22&sort=a', 'hunter22'],
  'a form': ['user[name]=ann&user[password]=hunter22', 'hunter22'],
  'a JSON body': ['{"user":{"name":"ann","password":"hun\\"ter22"}}', 'ter22'],
  'JSON within JSON': ['{\\"password\\":\\"hunter22\\",\\"a\\":1}', 'hunter22'],
  'JSON with a list': ['{"tokens":1,"token":["hunter22",{"a":"hunter22"}]}', 'hunter22'],
  'a Python dictionary': ["{'api_key': b'hunter22'}", 'hunter22'],
  'a Ruby hash': ['{:password=>"hunter22", "secret" => "hunter22"}', 'hunter22'],
  'a JavaScript object': ["{ user: 'ann', token: 'hunter22' }", 'hunter22'],
  'a header': ['POST /\nauthorization: Token hunter22\nHost: x', 'hunter22'],
  'cookies in a header': ['Cookie: a=hunter22; b=hunter22', 'hunter22'],
  'a log line': ['login failed password: hunter22 for ann', 'hunter22'],
  'a connection string': ['Server=db;User Id=sa;Pwd=hunter22;', 'hunter22'],
  'a data source': ['host=db password=hunter22 user=ann', 'hunter22'],
  'an option': ['mysqldump --password=hunter22 shop', 'hunter22']
}

const places: Record<string, (value: string) => Json> = {
  message: value => ({ message: value }),
  'the value of an exception': value => ({ exception: { values: [{ type: 'E', value }] } }),
  'a breadcrumb': value => ({ breadcrumbs: { values: [{ message: value, data: { url: value } }] } }),
  vars: value => ({ exception: [{ stacktrace: { frames: [{ function: 'f', vars: { v: value } }] } }] }),
  'a query string': value => ({ request: { query_string: value, url: value, data: value } }),
  extra: value => ({ extra: { deep: [{ er: value }] } }),
  tags: value => ({ tags: [['t', value]] }),
  'an unknown member': value => ({ whatever: value })
}

t.test('no secret survives in any string of an event', async t => {
  for (const [what, [sample, secret]] of [...Object.entries(secrets), ...Object.entries(assigned)])
    for (const [where, place] of Object.entries(places)) {
      const event = place(sample!)
      const result = json(scrub(event, compiledDefaults).event)

      t.notOk(result.includes(json(secret).slice(1, -1)), `${what} in ${where}: ${result}`)
      t.ok(result.includes(filtered))
      t.equal(json(event), json(place(sample!)), 'what was given stays as it was')
      t.notOk(json(scrub(normaliseEvent(event), compiledDefaults).event).includes(json(secret).slice(1, -1)))
    }
})

t.test('source code keeps assignments and loses recognisable secrets', async t => {
  const frames = (line: string) => ({
    stacktrace: { frames: [{ function: 'f', context_line: line, pre_context: [line], filename: 'a.py' }] }
  })
  const harmless = frames('  login(password=password, token: nil) if session["secret"] == ENV["API_KEY"]')

  t.equal(clean(harmless), harmless)
  for (const [sample, secret] of Object.values(secrets)) t.notOk(json(clean(frames(sample!))).includes(json(secret).slice(1, -1)))
})

t.test('only the secret in a text is replaced', async t => {
  t.equal(text('paid with 4111 1111 1111 1111 2027'), 'paid with [Filtered] 2027')
  t.equal(text('postgres://shop:x@db/shop failed'), 'postgres://shop:[Filtered]@db/shop failed')
  t.equal(text('{"password":"x","n":1}'), '{"password":"[Filtered]","n":1}')
  t.equal(text('/?token=x&page=2'), '/?token=[Filtered]&page=2')
  t.equal(text('a -----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY----- b'), 'a [Filtered] b')
  t.same(clean({ request: { cookies: { sid: 'x', n: 1 }, headers: { Cookie: 'sid=x' } } }), {
    request: { cookies: { sid: filtered, n: filtered }, headers: { Cookie: filtered } }
  })
  t.same(clean({ request: { cookies: [['sid', 'x']] } }), { request: { cookies: [['sid', filtered]] } })
  t.same(clean({ extra: { 'sys.argv': ['run', '--password', 'x', '--fast', 'y'] } }), {
    extra: { 'sys.argv': ['run', '--password', filtered, '--fast', 'y'] }
  })
})

const harmless = [
  'Unexpected token: "}" at 1:7',
  'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
  'Validation failed: Password: is too short, Email: is taken',
  "undefined method `password' for nil:NilClass",
  'Rack::Session::Cookie and Auth::Token and Password::Error',
  'at login (auth.js:10:3)\n at Session.start (session.js:7)',
  'app/models/password.rb:10:in `check',
  'connection to http://secret-service:8080 refused',
  'Basic authentication required, bearer authentication as well',
  'token == nil or session != other, password === undefined',
  'password=None token=null secret: undefined api_key=true',
  'https://0123456789abcdef@errors.test/17 and mail to ann@example.com: hello',
  'order 1700000000000 of 1763640000123 took 12345678901234567890 ns',
  'card 4111111111111112 is not valid, nor 4111 1111 1111',
  '0.4111111111111111 and x4111111111111111 and 4111111111111111f',
  '2024-01-15 10:30:00 2024-01-16 11:00:01',
  '123e4567-e89b-12d3-a456-426614174000 d41d8cd98f00b204e9800998ecf8427e',
  '-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----',
  'task-learn-something-very-long-indeed-and-more-of-it risk-management',
  'the author: Ann, the tokens: 17, the key: value',
  'SG.short eyJ.x.y ghp_short sk_live AKIA',
  'https://x.test/path?page=2&sort=name#top',
  'a:b@c and ftp://host/a:b@c'
]

t.test('harmless text is not changed', async t => {
  for (const message of harmless)
    for (const [where, place] of Object.entries(places)) {
      const event = place(message)

      t.equal(clean(event), event, `${message} in ${where}`)
    }
})

t.test('card numbers are filtered, other numbers are not', async t => {
  t.same(clean({ extra: { a: 4111111111111111, b: 4111111111111112, c: 1763640000123, d: 1e300, e: -4111111111111111 } }), {
    extra: { a: filtered, b: 4111111111111112, c: 1763640000123, d: 1e300, e: -4111111111111111 }
  })
})

t.test('ids and names that grouping needs are not filtered', async t => {
  const event = {
    event_id: '4111111111111111',
    timestamp: 4111111111111111,
    fingerprint: ['password=x', '4111111111111111'],
    release: 'token=abc@4111111111111111',
    environment: 'secret=x',
    dist: '4111111111111111',
    modules: { 'rack-session': '2.0', cookie: '1.0', 'next-auth': '4', secrets: '1' },
    sdk: { name: 'sentry.token', packages: [{ name: 'npm:@auth/token', version: '1' }] },
    debug_meta: { images: [{ debug_id: '4111111111111111' }] },
    contexts: { trace: { trace_id: '4111111111111111', span_id: '4111111111111111' } },
    exception: { values: [{ type: 'AuthError', stacktrace: { frames: [{ function: 'password=x', module: 'secret=x', lineno: 1 }] } }] },
    _meta: { extra: { password: { '': { len: 3 } } } }
  }
  const { event: same, isChanged } = scrub(event, compiledDefaults)

  t.equal(same, event)
  t.equal(isChanged, false)
})

t.test('IP addresses are removed only when the project asks for it', async t => {
  const event = {
    user: { id: '1', ip_address: '192.0.2.7' },
    request: {
      env: { REMOTE_ADDR: '192.0.2.7', HTTP_X_FORWARDED_FOR: '192.0.2.7', SERVER_NAME: 'web' },
      headers: [
        ['X-Forwarded-For', '192.0.2.7'],
        ['x-real-ip', '192.0.2.7'],
        ['Accept', 'a/b']
      ]
    },
    contexts: { other: { 'CF-Connecting-IP': '192.0.2.7' } }
  }
  const without = { user: { id: '1' }, request: { env: { SERVER_NAME: 'web' }, headers: [['Accept', 'a/b']] }, contexts: { other: {} } }

  t.equal(clean(event), event)
  t.same(clean(event, { keepsIpAddresses: false }), without)
  t.same(clean({ ...event, message: 'password=x' }, { keepsIpAddresses: false, isEnabled: false }), { ...without, message: 'password=x' })
  t.equal(readFields(clean({ user: { ip_address: '192.0.2.7' } }, { keepsIpAddresses: false }), new Date()).user, undefined)
})

t.test('a project adds keys, excludes keys and can disable scrubbing', async t => {
  const event = { extra: { customerIban: 'x', shipping: 'x', password: 'x', 'sort-code': 'x' }, message: 'iban=x&sort_code=y&password=z' }

  t.same(clean(event, { extraKeys: ['iban', 'SortCode', ''], safeKeys: ['Password'] }), {
    extra: { customerIban: filtered, shipping: 'x', password: 'x', 'sort-code': filtered },
    message: 'iban=[Filtered]&sort_code=[Filtered]&password=z'
  })
  t.same(
    clean({ extra: { token: { password: 'x' } } }, { safeKeys: ['token'] }),
    { extra: { token: { password: 'x' } } },
    'with all under them'
  )
  t.equal(clean(event, { isEnabled: false }), event)
  t.same(scrub(event, compileRules({ ...rules, isEnabled: false })), { event, isChanged: false })
})

t.test('values that the client filtered are not changed', async t => {
  const event = {
    extra: { password: filtered },
    message: `password=${filtered}`,
    request: { headers: { Authorization: filtered }, cookies: filtered }
  }

  t.same(scrub(event, compiledDefaults), { event, isChanged: false })
})

t.test('long text is scrubbed in linear time', async t => {
  for (const piece of [
    'password:',
    'token:',
    'secret:1:',
    'password="',
    'password=\'"',
    'password=[',
    'token={',
    'eyJaaaaaaaaaa.',
    'eyJ',
    '://a:',
    '://a:b@',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '4111 ',
    '4111-1111 ',
    '4',
    'SG.aaaaaaaaaaaaaaaa',
    'ghp_',
    'glpat-',
    'Bearer ',
    'Basic dXNlcj',
    '\\\\\\"',
    '"password":"\\',
    'password   ',
    'A',
    'aB',
    '[Filtered]',
    ' -'
  ]) {
    const long = piece.repeat(Math.ceil(500_000 / piece.length))
    const took = cpuMs(() => clean({ message: long, extra: { [long]: long } }))

    t.ok(took < 2000, `${piece} took ${took} ms`)
  }
})

const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`)

t.test('values nested below the depth limit are redacted', async t => {
  t.match(json(clean({ extra: nested(1000) })), /\[Filtered\]/)
  t.equal(json(clean({ extra: nested(50) })), json({ extra: nested(50) }))
})

const fragment = fc.constantFrom(
  ...Object.values(secrets).map(([sample]) => sample!),
  ...Object.values(assigned).map(([sample]) => sample!),
  ...harmless,
  ...`password token secret= : = " ' \\ [ ] { } & ; @ :// - [Filtered] Filtered] 4111 1111 4111111111111111 411111111111111 Basic Bearer eyJ . , => \n authorization
  cookie mysql -p | / /token/ /reset/ a1b2c3d4e5f6 k7Qm2VxB9sLw/4TzYb1NcRpDsGjUe+8aHfK3oXtZ glet_0123456789abcdef -----BEGIN -----END PRIVATE KEY----- password:`.split(
    ' '
  ),
  ' '
)
const { event: anEvent } = fc.letrec(tie => ({
  text: fc.oneof(
    fc.array(fragment, { maxLength: 6 }).map(parts => parts.join('')),
    fc.string()
  ),
  key: fc.oneof(
    fc.constantFrom(
      ...secretKeys,
      ...harmlessKeys,
      'value',
      'name',
      'frames',
      'vars',
      'function',
      'fingerprint',
      'glpat-0123456789abcdef',
      'a glet_0123456789abcdef',
      'release',
      'ip_address',
      'headers'
    ),
    fc.string()
  ),
  value: fc.oneof(
    { maxDepth: 5 },
    tie('text'),
    fc.jsonValue({ maxDepth: 1 }),
    fc.dictionary(tie('key') as never, tie('value')),
    fc.array(tie('value'), { maxLength: 4 })
  ),
  event: fc.dictionary(tie('key') as never, tie('value'))
}))

t.test('what was redacted within a value or a name does not make more of it secret the next time', t => {
  const cards = 'refused at secret-service:8080, paid with 4111-1111-1111-1111.'
  const once = clean({ message: 'secret= secret=secret=', extra: { name: cards, value: 'postgres://shop:S3cret!x@db.test/shop' } })

  t.same(clean(once), once)
  t.end()
})

t.test('tokens are scrubbed in fingerprints, names of functions and keys, and all else there is kept', async t => {
  const token = 'glpat-0123456789abcdefABCD'
  const event = {
    fingerprint: ['{{ default }}', token, 'password=x', '4111111111111111'],
    extra: { [token]: 1, [`x ${token}`]: 2, 'password=x': 'y', [`https://a:b@x.test/${token}`]: 3, list: [[token, 4]] },
    exception: { values: [{ stacktrace: { frames: [{ function: `f(${token})`, module: 'secret=x', lineno: 1 }] } }] }
  }
  const kept = {
    fingerprint: ['{{ default }}', '[Filtered]', 'password=x', '4111111111111111'],
    extra: {
      '[Filtered]': 1,
      'x [Filtered]': 2,
      'password=x': '[Filtered]',
      'https://a:[Filtered]@x.test/[Filtered]': 3,
      list: [['[Filtered]', 4]]
    },
    exception: { values: [{ stacktrace: { frames: [{ function: 'f([Filtered])', module: 'secret=x', lineno: 1 }] } }] }
  }

  t.same(clean(event), kept)
  t.same(clean({ extra: { [token]: 1, [`${token}x`]: 2 } }), { extra: { '[Filtered]': 1, '[Filtered] 2': 2 } }, 'none replaces another')
  t.same(clean({ fingerprint: [token] }, { isEnabled: false }), { fingerprint: [token] })
})

t.test('any JSON is scrubbed, and scrubbing it again changes nothing', async () => {
  const custom = compileRules({ ...rules, keepsIpAddresses: false, extraKeys: ['name'] })

  fc.assert(
    fc.property(anEvent, given => {
      for (const candidate of [compiledDefaults, custom]) {
        const before = json(given)
        const { event, isChanged } = scrub(given as Json, candidate)
        const again = scrub(event, candidate)

        if (json(given) !== before) throw new Error('The event that was given has changed.')
        if (isChanged === (event === given)) throw new Error('It does not tell whether it changed.')
        if (again.isChanged) throw new Error(`${json(event)} became ${json(again.event)}`)
      }
    }),
    { numRuns: 1000 }
  )
})
