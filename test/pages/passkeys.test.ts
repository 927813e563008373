import t, { type Test } from 'tap'
import { deleteExpiredChallenges, issueChallenge, useChallenge } from '#identity/passkeys/challenge.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { Authenticator, optionsIn } from './authenticator.ts'
import { openWithMail } from './mailed-links.ts'
import { codeNow, Visitor } from './visitor.ts'

const path = '/-/profile/passkeys'
const origin = 'https://tocsin.test'

async function opened(t: Test) {
  const world = await openApp(t, { env: { BASE_URL: origin } })
  const visitor = new Visitor(world.app)

  await visitor.signIn()

  return { ...world, visitor }
}

/** Root has a passkey. */
async function withPasskey(t: Test) {
  const world = await opened(t)
  const passkey = new Authenticator(origin)
  const { body } = await add(world.visitor, passkey)

  return { ...world, passkey, recoveryCodes: [...body.matchAll(/<code>([^<]+)</g)].map(([, code]) => code!) }
}

async function add(visitor: Visitor, passkey: Authenticator, { name = 'Phone', password = rootPassword } = {}) {
  const begun = await visitor.post(path, { name, current: password })

  return visitor.post(`${path}/registration`, { name, credential: passkey.create(optionsIn(begun.body)) })
}

async function signInWith(visitor: Visitor, passkey: Authenticator) {
  const options = optionsIn((await visitor.get('/users/sign_in')).body)

  return visitor.post('/users/sign_in/passkey', { credential: passkey.get(options), return_to: '/-/profile' })
}

async function reasons({ platform }: Pick<Awaited<ReturnType<typeof opened>>, 'platform'>) {
  const { rows } = await platform.pool.query(
    `SELECT details->>'reason' AS reason FROM audit_events WHERE name = 'user_sign_in_failed' ORDER BY id`
  )

  return rows.map(({ reason }) => reason)
}

async function idOf({ platform }: Pick<Awaited<ReturnType<typeof opened>>, 'platform'>) {
  return (await platform.pool.query('SELECT id FROM passkeys ORDER BY id DESC')).rows[0].id
}

t.test('a passkey is added after the password, and signs in alone', async t => {
  const { app, platform, visitor } = await opened(t)
  const elsewhere = new Visitor(app)
  const passkey = new Authenticator(origin)

  await elsewhere.signIn()
  t.match((await visitor.get(path)).body, /You have no passkeys[\s\S]+turns on two-factor authentication/)
  const refused = await visitor.post(path, { name: 'Phone', current: 'wrong' })
  t.equal(refused.statusCode, 400)
  t.match(refused.body, /value="Phone"[\s\S]+The password is wrong/, 'what was typed stays')
  t.equal((await visitor.post(path, { name: '', current: rootPassword })).statusCode, 400)

  const added = await add(visitor, passkey)
  t.match(added.body, /Your recovery codes/)
  t.match((await visitor.get(path)).body, /<strong>Phone<\/strong>[\s\S]+not used yet/)
  t.equal((await elsewhere.get('/-/profile')).statusCode, 401, 'sessions without a second factor are ended')
  t.match(
    (await visitor.get('/-/profile/two_factor')).body,
    /badge good">on[\s\S]+<strong>1<\/strong> added[\s\S]+<strong>10<\/strong> of 10/
  )

  const answered = await signInWith(elsewhere, passkey)
  t.equal(answered.statusCode, 303)
  t.equal(answered.headers.location, '/-/profile')
  t.equal((await elsewhere.get('/-/profile')).statusCode, 200)
  t.match((await visitor.get(path)).body, /last used/)
  t.same((await platform.pool.query('SELECT transports FROM passkeys')).rows, [{ transports: ['internal'] }])
  const { rows } = await platform.pool.query(
    `SELECT name, details->>'with' AS means FROM audit_events WHERE name = 'passkey_added' OR details->>'with' = 'passkey' ORDER BY id`
  )
  t.same(rows, [
    { name: 'passkey_added', means: null },
    { name: 'user_signed_in', means: 'passkey' }
  ])
  t.same((await platform.pool.query(`SELECT data FROM outbox WHERE kind = 'passkey.added'`)).rows, [{ data: { passkey: 'Phone' } }])
})

t.test('after the password, a passkey or a recovery code is the second factor', async t => {
  const { app, platform, passkey, recoveryCodes } = await withPasskey(t)
  const [visitor, other] = [new Visitor(app), new Visitor(app)]

  t.match((await visitor.signIn()).headers.location, /^\/users\/sign_in\/code/)
  const page = (await visitor.get('/users/sign_in/code')).body
  t.match(page, /Use a passkey[\s\S]+Recovery code/)
  t.same(
    optionsIn<{ allowCredentials: { id: string }[] }>(page).allowCredentials.map(({ id }) => id),
    [passkey.id.toString('base64url')]
  )
  passkey.isUserVerified = false
  const answered = await visitor.post('/users/sign_in/code/passkey', { credential: passkey.get(optionsIn(page)), return_to: '/-/profile' })
  t.equal(answered.headers.location, '/-/profile', 'the password has verified the user')
  t.equal((await visitor.get('/-/profile')).statusCode, 200)

  await other.signIn()
  t.equal((await other.post('/users/sign_in/code', { code: recoveryCodes[0]! })).statusCode, 303)
  t.same(
    (await platform.pool.query(`SELECT details->>'with' AS means FROM audit_events WHERE name = 'user_signed_in' ORDER BY id`)).rows.map(
      ({ means }) => means
    ),
    ['password', 'passkey as second factor', 'recovery code']
  )
})

t.test('an answer is accepted once, from the browser that was asked, for what it was asked', async t => {
  const world = await withPasskey(t)
  const { app, passkey } = world
  const [visitor, thief] = [new Visitor(app), new Visitor(app)]
  const credential = passkey.get(optionsIn((await visitor.get('/users/sign_in')).body))

  await thief.get('/users/sign_in')
  t.equal((await thief.post('/users/sign_in/passkey', { credential })).statusCode, 401, 'another browser has other challenges')
  t.equal((await new Visitor(app).post('/users/sign_in/passkey', { credential })).statusCode, 401)
  t.equal((await visitor.post('/users/sign_in/passkey', { credential })).statusCode, 303)
  t.equal((await visitor.post('/users/sign_in/passkey', { credential })).statusCode, 401, 'a replay')

  await thief.signIn()
  const forSignIn = passkey.get(optionsIn((await thief.get('/users/sign_in')).body))
  t.equal((await thief.post('/users/sign_in/code/passkey', { credential: forSignIn })).statusCode, 401, 'another purpose')
  t.same([...new Set(await reasons(world))], ['the challenge expired, was used or is of another browser'])
  t.equal((await reasons(world)).length, 4)
})

t.test('an answer that is sent several times at once signs in once', async t => {
  const { app, passkey } = await withPasskey(t)
  const visitor = new Visitor(app)
  const credential = passkey.get(optionsIn((await visitor.get('/users/sign_in')).body))
  const twins = [1, 2, 3].map(() => Object.assign(new Visitor(app), { cookies: { ...visitor.cookies } }))
  const answers = await Promise.all(twins.map(twin => twin.post('/users/sign_in/passkey', { credential })))

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 401, 401])
})

t.test('a challenge is valid for ten minutes, and forgotten after that', async t => {
  const { platform } = await opened(t)
  const { config } = platform
  const em = platform.fork()
  const scope = { purpose: 'sign-in', browser: 'secret' } as const
  const after = (ms: number) => new Date(Date.now() + ms)
  const countUsed = async () => (await platform.pool.query('SELECT FROM used_challenges')).rowCount
  const use = async (issued: Date) => useChallenge(em, config, scope, await issueChallenge(config, scope, issued), new Date())

  t.equal(await use(after(-10 * 60_000)), false)
  t.equal(await countUsed(), 0)
  t.equal(await use(after(-9 * 60_000)), true)
  await deleteExpiredChallenges(em, new Date())
  t.equal(await countUsed(), 1)
  await deleteExpiredChallenges(em, after(2 * 60_000))
  t.equal(await countUsed(), 0)
})

t.test('answers of another origin, without the user’s verification or with a wrong signature are refused', async t => {
  const world = await withPasskey(t)
  const { app, passkey } = world
  const copy = new Authenticator(origin)

  passkey.origin = 'https://tocsin.test.example.com'
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 401)
  passkey.origin = origin
  passkey.isUserVerified = false
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 401)
  passkey.isUserVerified = true
  Object.assign(copy, { id: passkey.id, userHandle: passkey.userHandle })
  t.equal((await signInWith(new Visitor(app), copy)).statusCode, 401)
  t.same(await reasons(world), [
    'Unexpected authentication response origin "https://tocsin.test.example.com", expected "https://tocsin.test"',
    'User verification required, but user could not be verified',
    'wrong signature'
  ])
  for (const credential of [
    '',
    '{',
    '{}',
    'null',
    JSON.stringify({ ...JSON.parse(passkey.get({ challenge: 'x', rpId: 'x' })), id: '!' })
  ]) {
    const visitor = new Visitor(app)

    await visitor.get('/users/sign_in')
    t.equal((await visitor.post('/users/sign_in/passkey', { credential })).statusCode, 401)
  }
})

t.test('a counter that goes back is refused and audited', async t => {
  const world = await withPasskey(t)
  const { app, passkey } = world

  passkey.counter = 5
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 303)
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 401, 'the same again')
  passkey.counter = 0
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 401, 'and none at all')
  passkey.counter = 6
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 303)
  t.same(await reasons(world), [
    'the counter is 5 after 5: the passkey may have been copied',
    'the counter is 0 after 5: the passkey may have been copied'
  ])
})

t.test('a passkey is good for its own user only', async t => {
  const world = await withPasskey(t)
  const { app, call, passkey } = world
  const ada = { login: 'ada', password: 'a password of ada' }
  const [visitor, victim] = [new Visitor(app), new Visitor(app)]

  await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password: ada.password })
  await visitor.signIn(ada)
  const own = new Authenticator(origin)
  await add(visitor, own, { password: ada.password })

  await victim.signIn()
  const options = optionsIn((await victim.get('/users/sign_in/code')).body)
  t.equal((await victim.post('/users/sign_in/code/passkey', { credential: own.get(options) })).statusCode, 401)
  t.same(await reasons(world), ['not a passkey of this user'])
  own.userHandle = passkey.userHandle
  t.equal((await signInWith(new Visitor(app), own)).statusCode, 401, 'nor with the handle of another user')

  const stolen = await idOf(world)
  await signInWith(victim, passkey)
  t.equal((await victim.get(`${path}/${stolen}`)).statusCode, 404)
  await victim.get(path)
  t.equal((await victim.post(`${path}/${stolen}`, { name: 'Mine' })).statusCode, 404)
  t.equal((await victim.post(`${path}/${stolen}/removal`, { current: rootPassword })).statusCode, 404)
  t.equal((await add(victim, own)).statusCode, 400, 'a passkey is added once')
})

t.test('lockout and the state of the user hold for passkeys', async t => {
  const { app, platform, passkey } = await withPasskey(t)
  const wrong = Object.assign(new Authenticator(origin), { id: passkey.id, userHandle: passkey.userHandle })
  const stranger = new Visitor(app)
  const state = (state: string) => platform.pool.query('UPDATE users SET state = $1', [state])

  for (const [name, text] of [
    ['blocked', /This account is blocked/],
    ['banned', /This account is blocked/],
    ['blocked_pending_approval', /waiting for approval/]
  ] as const) {
    await state(name)
    const refused = await signInWith(new Visitor(app), passkey)

    t.equal(refused.statusCode, 401)
    t.match(refused.body, text)
    t.notMatch((await signInWith(new Visitor(app), wrong)).body, text, 'others do not learn of it')
  }
  await state('deactivated')
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 303, 'signing in reactivates')

  for (let n = 1; n <= 10; n++) t.equal((await signInWith(stranger, wrong)).statusCode, 401)
  t.equal((await signInWith(stranger, passkey)).statusCode, 401, 'ten failures lock out')
  t.equal((await platform.pool.query(`SELECT FROM audit_events WHERE name = 'user_locked'`)).rowCount, 1)
})

t.test('attempts with passkeys count against the limit of sign-ins', async t => {
  const { app } = await openApp(t, { env: { BASE_URL: origin, RATE_LIMIT_SIGN_IN: '2' } })
  const visitor = new Visitor(app)

  for (const status of [401, 401, 429]) t.equal((await visitor.post('/users/sign_in/passkey', { credential: '{}' })).statusCode, status)
})

t.test('a passkey is renamed, and removed with the password', async t => {
  const world = await withPasskey(t)
  const { app, platform, visitor, passkey } = world
  const one = `${path}/${await idOf(world)}`

  await visitor.get(one)
  t.equal((await visitor.post(one, { name: '' })).statusCode, 400)
  t.equal((await visitor.post(one, { name: 'Old <phone>' })).statusCode, 303)
  t.match((await visitor.get(path)).body, /Passkey renamed[\s\S]+Old &#60;phone&#62;/)
  t.match(await visitor.post(`${one}/removal`, { current: 'wrong' }), { statusCode: 400, body: /The password is wrong/ })
  t.equal((await visitor.post(`${one}/removal`, { current: rootPassword })).statusCode, 303)
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 401)
  t.equal((await new Visitor(app).signIn()).headers.location, '/', 'the password is enough again')
  t.same((await platform.pool.query('SELECT passkey_count, cardinality(recovery_codes) AS codes FROM users')).rows, [
    { passkey_count: 0, codes: 0 }
  ])
  t.equal((await platform.pool.query(`SELECT FROM audit_events WHERE name = 'passkey_removed'`)).rowCount, 1)
  t.equal((await platform.pool.query(`SELECT FROM outbox WHERE kind = 'passkey.removed'`)).rowCount, 1)
})

t.test('an authenticator app and passkeys share the recovery codes', async t => {
  const world = await withPasskey(t)
  const { app, platform, visitor } = world
  const countCodes = async () => (await platform.pool.query('SELECT cardinality(recovery_codes) AS codes FROM users')).rows[0].codes

  await visitor.get('/-/profile/two_factor')
  await visitor.post('/-/profile/two_factor', { current: rootPassword })
  t.match((await visitor.get('/-/profile/two_factor')).body, /Scan the QR code[\s\S]+Generate new codes/, 'they can be renewed meanwhile')
  const { secret, recoveryCodes } = await visitor.enrol()
  t.same(recoveryCodes, [], 'the codes that the user has stay valid')
  const other = new Visitor(app)
  await other.signIn()
  t.match((await other.get('/users/sign_in/code')).body, /Use a passkey[\s\S]+six-digit code/)
  t.equal((await other.post('/users/sign_in/code', { code: codeNow(secret, 1) })).statusCode, 303)

  await visitor.get('/-/profile/two_factor')
  await visitor.post('/-/profile/two_factor/removal', { current: rootPassword })
  t.equal(await countCodes(), 10)
  t.match((await new Visitor(app).signIn()).headers.location, /sign_in\/code/)
  t.match((await visitor.post('/-/profile/two_factor/recovery_codes', { current: rootPassword })).body, /Your recovery codes/)
  await visitor.post(`${path}/${await idOf(world)}/removal`, { current: rootPassword })
  t.equal(await countCodes(), 0)
})

t.test('a passkey counts as two-factor authentication, until an admin removes it', async t => {
  const { app, call, platform, passkey } = await withPasskey(t)
  const password = 'a password of an admin'
  const admin = new Visitor(app)
  const grant = { grant_type: 'password', username: 'root', password: rootPassword }
  const token = async () => (await app.inject({ method: 'POST', url: '/oauth/token', payload: grant })).statusCode

  await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password, admin: true })
  t.equal((await call('GET', '/user')).body.two_factor_enabled, true)
  t.equal(await token(), 400)
  await admin.signIn({ login: 'ada', password })
  const root = (await call('GET', '/user')).body.id
  t.match((await admin.get(`/admin/users/${root}`)).body, /Turn off two-factor authentication/)
  t.equal((await admin.post(`/admin/users/${root}/two_factor`)).statusCode, 303)
  t.equal((await platform.pool.query('SELECT FROM passkeys')).rowCount, 0)
  t.equal((await call('GET', '/user')).body.two_factor_enabled, false)
  t.equal(await token(), 200)
  t.equal((await signInWith(new Visitor(app), passkey)).statusCode, 401)
})

t.test('adding and removing a passkey is told by mail', async t => {
  const world = await openWithMail(t, { BASE_URL: origin })
  const { app, call, mailTo } = world
  const { email } = (await call('GET', '/user')).body
  const visitor = new Visitor(app)

  await visitor.signIn()
  await add(visitor, new Authenticator(origin))
  t.match(await mailTo(email, 'A passkey was added'), /“Phone”|=E2=80=9CPhone/)
  await visitor.get(path)
  t.equal((await visitor.post(`${path}/${await idOf(world)}/removal`, { current: rootPassword })).statusCode, 303)
  t.match(await mailTo(email, 'A passkey was removed'), /no longer signs in/)
})

t.test('a user has at most twenty passkeys, which are deleted with the user', async t => {
  const { app, call, platform } = await opened(t)
  const password = 'a password of ada'
  const { body: ada } = await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password })
  const visitor = new Visitor(app)

  await visitor.signIn({ login: 'ada', password })
  for (let n = 1; n <= 20; n++) await add(visitor, new Authenticator(origin), { name: `Key ${n}`, password })
  t.equal((await platform.pool.query('SELECT FROM passkeys')).rowCount, 20)
  t.match(await visitor.post(path, { name: 'One more', current: password }), { statusCode: 400, body: /You have 20 passkeys/ })
  t.equal((await call('DELETE', `/users/${ada.id}`)).status, 204)
  t.equal((await platform.pool.query('SELECT FROM passkeys')).rowCount, 0)
})

t.test('where browsers offer no passkeys, the pages say so and offer none', async t => {
  for (const BASE_URL of ['http://tocsin.test', 'https://192.0.2.7', 'https://[2001:db8::1]']) {
    const { app } = await openApp(t, { env: { BASE_URL } })
    const visitor = new Visitor(app)

    t.notMatch((await visitor.get('/users/sign_in')).body, /passkey/)
    await visitor.signIn()
    t.match((await visitor.get(path)).body, /Passkeys cannot be added here/)
    t.match(await visitor.post(path, { name: 'Phone', current: rootPassword }), { statusCode: 400, body: /Passkeys cannot be added here/ })
    t.equal((await visitor.post('/users/sign_in/passkey', { credential: '{}' })).statusCode, 401)
  }
})
