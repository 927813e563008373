import { createHook } from 'node:async_hooks'
import t, { type Test } from 'tap'
import { deleteStaleDevices } from '#identity/sessions/known-device.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const wrong = { password: 'wrong' }
const newPassword = 'a password of mine'

async function fail(visitor: Visitor, times: number, login = 'root') {
  for (let n = 1; n <= times; n++) await visitor.signIn({ login, ...wrong })
}

/** Returns the number of password hashes computed so far. */
function countHashes(t: Test) {
  let count = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') count++
    }
  }).enable()

  t.teardown(() => hook.disable())

  return () => count
}

t.test('ten failures in a row lock out unknown browsers for ten minutes without revealing it', async t => {
  const { app, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const first = await visitor.signIn(wrong)

  await fail(visitor, 8)
  t.equal((await new Visitor(app).signIn()).statusCode, 303, 'nine failures do not lock')

  const answers = []
  for (let n = 1; n <= 10; n++) answers.push(await visitor.signIn(wrong))
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))], [401])
  t.equal(errorOf(answers[9]!.body), errorOf(first.body))

  const refused = await visitor.signIn()
  t.equal(refused.statusCode, 401, 'the right password is refused as well')
  t.equal(errorOf(refused.body), errorOf(first.body))
  t.equal(errorOf((await visitor.signIn({ login: 'nobody' })).body), errorOf(first.body), 'an unknown user gets the same error')

  const { rows } = await platform.pool.query(`SELECT round(extract(epoch FROM locked_until - now()) / 60)::int AS minutes FROM users`)
  t.same(rows, [{ minutes: 10 }])

  await platform.pool.query(`UPDATE users SET locked_until = now() - interval '1 second'`)
  t.equal((await visitor.signIn()).statusCode, 303, 'the lock expires')
  const names = (await platform.pool.query('SELECT name, count(*) FROM audit_events GROUP BY name')).rows
  const counts = Object.fromEntries(names.map(({ name, count }) => [name, count]))
  t.equal(counts.user_sign_in_failed, 20)
  t.equal(counts.user_locked, 1)
  t.equal(counts.user_signed_in, 2)
})

t.test('failures while an account is locked do not extend the lock', async t => {
  const { app, platform } = await openApp(t)
  const lockedUntil = async () => (await platform.pool.query('SELECT locked_until FROM users')).rows[0].locked_until

  await platform.pool.query(`UPDATE users SET locked_until = now() + interval '1 minute', failed_sign_ins = 9`)
  const before = await lockedUntil()
  t.equal((await new Visitor(app).signIn(wrong)).statusCode, 401)
  t.same(await lockedUntil(), before)
})

t.test('concurrent failures are all counted', async t => {
  const { app, platform } = await openApp(t)
  const count = async () => (await platform.pool.query('SELECT failed_sign_ins, locked_until FROM users')).rows[0]

  await Promise.all(Array.from({ length: 9 }, () => new Visitor(app).signIn(wrong)))
  t.same(await count(), { failed_sign_ins: 9, locked_until: null })

  await Promise.all(Array.from({ length: 3 }, () => new Visitor(app).signIn(wrong)))
  t.match(await count(), { failed_sign_ins: 0, locked_until: Date }, 'the tenth locks the account')
})

t.test('failures of unknown browsers do not lock out a browser that the user signed in with', async t => {
  const { app } = await openApp(t)
  const [visitor, stranger] = [new Visitor(app), new Visitor(app)]

  await visitor.signIn()
  await fail(stranger, 10)
  t.equal((await stranger.signIn()).statusCode, 401)
  const changed = await visitor.post('/-/profile/password', { current: rootPassword, password: newPassword, again: newPassword })
  t.equal(changed.statusCode, 303, 'its session can confirm the password')

  await visitor.post('/users/sign_out')
  t.equal((await visitor.signIn({ password: newPassword })).statusCode, 303)
  t.equal((await stranger.signIn({ password: newPassword })).statusCode, 401, 'the others stay locked out')
})

t.test('wrong passwords from many addresses lock out these addresses, and not the user elsewhere', async t => {
  const { app, platform } = await openApp(t, { env: { TRUST_PROXY: '1' } })
  const from = (address: string) => {
    const visitor = new Visitor(app)

    visitor.headers['x-forwarded-for'] = address

    return visitor
  }

  for (let n = 1; n <= 12; n++) await fail(from(`192.0.2.${n}`), 1)
  const { rows } = await platform.pool.query('SELECT locked_until > now() AS "isLocked" FROM users')

  t.same(rows, [{ isLocked: true }])
  await fail(from('198.51.100.1'), 3)
  t.equal((await from('198.51.100.1').signIn()).statusCode, 401, 'an address has three attempts meanwhile')
  await fail(from('2001:db8::1'), 2)
  await fail(from('2001:db8::2'), 1)
  t.equal((await from('2001:db8::3').signIn()).statusCode, 401, 'a network of version 6 is one address')
  const owner = from('203.0.113.1')

  t.equal((await owner.signIn()).statusCode, 303, 'the user is let in from an address of their own')
  t.equal((await from('198.51.100.1').signIn()).statusCode, 401, 'which lets in no other')
  owner.headers['x-forwarded-for'] = '198.51.100.1'
  await owner.post('/users/sign_out')
  t.equal((await owner.signIn()).statusCode, 303, 'and from any, with a browser that was used before')
  const grant = { grant_type: 'password', username: 'root', password: rootPassword }
  const token = (address: string) =>
    app.inject({ method: 'POST', url: '/oauth/token', payload: grant, headers: { 'x-forwarded-for': address } })

  t.equal((await token('198.51.100.1')).statusCode, 400, 'applications are let in from the same addresses')
  t.equal((await token('203.0.113.2')).statusCode, 200)
})

t.test('when many addresses guess, unknown browsers take turns, and known ones do not wait', async t => {
  const { app, platform } = await openApp(t, { env: { TRUST_PROXY: '1' } })
  const from = (address: string) => {
    const visitor = new Visitor(app)

    visitor.headers['x-forwarded-for'] = address

    return visitor
  }
  const known = from('203.0.113.1')

  await known.signIn()
  await known.post('/users/sign_out')
  for (let n = 1; n <= 30; n++) await fail(from(`192.0.2.${n}`), 1)
  t.equal((await from('198.51.100.1').signIn()).statusCode, 401, 'not right after another guess')
  t.equal((await known.signIn()).statusCode, 303)
  await platform.pool.query(`UPDATE audit_events SET created_at = created_at - interval '6 seconds' WHERE name = 'user_sign_in_failed'`)
  t.equal((await from('198.51.100.2').signIn()).statusCode, 303)
})

t.test('a known browser has a limit of its own', async t => {
  const { app, platform } = await openApp(t)
  const visitor = new Visitor(app)

  await visitor.signIn()
  await visitor.post('/users/sign_out')
  await fail(visitor, 9)
  t.equal((await visitor.signIn()).statusCode, 303, 'nine failures do not lock')
  await visitor.post('/users/sign_out')
  await fail(visitor, 10)
  t.equal((await visitor.signIn()).statusCode, 401)
  t.equal((await new Visitor(app).signIn()).statusCode, 303, 'others are not locked out')
  const { rows } = await platform.pool.query(`SELECT details->>'for' AS browser FROM audit_events WHERE name = 'user_locked'`)
  t.same(rows, [{ browser: 'a known browser' }])
})

t.test('a browser is known for the user who signed in with it, and by the secret in its cookie', async t => {
  const { app, call, platform } = await openApp(t)
  const [visitor, stranger] = [new Visitor(app), new Visitor(app)]
  const ada = { login: 'ada', password: 'a password of ada' }

  await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password: ada.password })
  await visitor.signIn()
  await fail(stranger, 10, ada.login)
  await fail(stranger, 10)
  t.equal((await visitor.signIn(ada)).statusCode, 401)
  stranger.cookies._service_device = 'made up'
  t.equal((await stranger.signIn()).statusCode, 401)
  t.equal((await visitor.signIn()).statusCode, 303)
  t.equal((await platform.pool.query('SELECT FROM known_devices')).rowCount, 1, 'signing in again remembers the same browser')
})

t.test('with https, the cookie of a known browser is Secure, bound to the host, and lasts a year', async t => {
  const { app } = await openApp(t, { env: { BASE_URL: 'https://tocsin.test' } })
  const { cookies } = await new Visitor(app).signIn()

  t.hasStrict(
    cookies.find(({ name }) => name === '__Host-_service_device'),
    { secure: true, httpOnly: true, path: '/', domain: undefined, sameSite: 'Lax', maxAge: 365 * 24 * 3600 }
  )
})

t.test('a sign-in verifies one password hash, whether or not the user exists, is locked, or has a password', async t => {
  const { app, call } = await openApp(t)
  const hashes = countHashes(t)
  const hashesOf = async (login: string) => {
    const before = hashes()

    t.equal((await new Visitor(app).signIn({ login, ...wrong })).statusCode, 401)

    return hashes() - before
  }

  await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', force_random_password: true })
  t.equal(await hashesOf('root'), 1)
  t.equal(await hashesOf('nobody'), 1)
  t.equal(await hashesOf(''), 1)
  t.equal(await hashesOf('ada'), 1)
  await fail(new Visitor(app), 10)
  t.equal(await hashesOf('root'), 1, 'a locked user')
})

t.test('a sign-in as an unknown user is recorded like that of a known one, without the login', async t => {
  const { app, call } = await openApp(t)

  await fail(new Visitor(app), 1, 'a password typed as the username')
  const [event] = (await call('GET', '/audit_events')).body

  t.hasStrict(event, { event_name: 'user_sign_in_failed', entity_type: 'Instance', entity_id: 0 })
  t.notMatch(JSON.stringify(event), 'a password typed')
})

t.test('wrong current passwords of a signed-in user count as well', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)
  const change = (current: string) =>
    visitor.post('/-/profile/password', { current, password: 'a password of mine', again: 'a password of mine' })

  await visitor.signIn()
  for (let n = 1; n <= 10; n++) t.equal((await change('wrong')).statusCode, 400)
  t.match(await change(rootPassword), { statusCode: 400, body: /locked for 10 minutes/ })
})

function errorOf(body: string) {
  return /role="alert">([^<]+)</.exec(body)?.[1]
}

t.test('browsers that were not seen for a year are forgotten', async t => {
  const { app, platform } = await openApp(t)
  const setSeen = (ago: string) => platform.pool.query('UPDATE known_devices SET seen_at = now() - $1::interval', [ago])
  const countDevices = async () => (await platform.pool.query('SELECT FROM known_devices')).rowCount

  await new Visitor(app).signIn()
  await setSeen('364 days')
  await deleteStaleDevices(platform.fork(), new Date())
  t.equal(await countDevices(), 1)
  await setSeen('366 days')
  await deleteStaleDevices(platform.fork(), new Date())
  t.equal(await countDevices(), 0)
})
