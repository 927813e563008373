import t from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

async function signedIn(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const visitor = new Visitor(world.app)

  await visitor.signIn()

  return { ...world, visitor }
}

t.test('a saved profile is confirmed once', async t => {
  const { visitor, platform } = await signedIn(t)
  const fields = {
    name: 'Ada',
    is_email_public: 'true',
    bio: 'Counts.',
    location: 'London',
    organization: '',
    job_title: 'Countess',
    website_url: 'https://ada.example',
    private_profile: 'true'
  }

  t.equal((await visitor.post('/-/profile', fields)).headers.location, '/-/profile')
  t.match((await visitor.get('/-/profile')).body, /role="status"[^>]*><p>Profile saved/)
  const { body } = await visitor.get('/-/profile')
  t.notMatch(body, /Profile saved/)
  t.match(body, /value="Countess"/)
  const read = async () => (await platform.pool.query('SELECT name, public_email, is_private_profile, bio FROM users')).rows[0]
  t.same(await read(), { name: 'Ada', public_email: 'root@localhost', is_private_profile: true, bio: 'Counts.' })

  await visitor.post('/-/profile', { name: 'Ada' })
  t.same(await read(), { name: 'Ada', public_email: '', is_private_profile: false, bio: '' }, 'an unchecked box is false')
  t.same(
    (
      await platform.pool.query(
        `SELECT details->'changed' AS changed FROM audit_events WHERE name = 'user_updated' ORDER BY id DESC LIMIT 1`
      )
    ).rows,
    [{ changed: ['isPrivateProfile', 'bio', 'location', 'jobTitle', 'websiteUrl', 'publicEmail'] }]
  )
})

t.test('an invalid profile form shows errors beside the fields and keeps the values', async t => {
  const { visitor } = await signedIn(t)
  const { statusCode, body } = await visitor.post('/-/profile', {
    name: ' ',
    website_url: 'javascript:alert(1)',
    bio: '</textarea><b>',
    location: 'x'.repeat(256)
  })

  t.equal(statusCode, 400)
  t.match(body, /id="name"[^>]+aria-describedby="name-error" aria-invalid="true"[\s\S]+id="name-error">Enter 1 to 255 characters/)
  t.match(body, /value="javascript:alert\(1\)"[\s\S]+id="website_url-error">Enter an address/)
  t.match(body, /id="location-error">Use at most 255/)
  t.match(body, /&#60;\/textarea&#62;&#60;b&#62;/)
})

t.test('a form is accepted only with the CSRF token of its own session', async t => {
  const { app, visitor } = await signedIn(t)
  const other = new Visitor(app)

  await other.signIn()
  for (const csrf_token of ['', 'made-up', other.token]) {
    const refused = await visitor.post('/-/profile', { name: 'Mallory', csrf_token })
    t.match(refused, { statusCode: 403, body: /has expired/ }, csrf_token)
  }
  t.equal((await visitor.post('/-/profile', { name: 'Mallory', csrf_token: ['x', visitor.token] })).statusCode, 403)
  t.match((await visitor.get('/-/profile')).body, /value="Administrator"/)

  visitor.headers['sec-fetch-site'] = 'cross-site'
  t.equal((await visitor.post('/-/profile', { name: 'Mallory' })).statusCode, 403, 'a cross-site request is refused even with the token')
})

t.test('the API accepts a write with a session cookie only from the same origin or with a CSRF token', async t => {
  const { app, visitor } = await signedIn(t)
  const write = async (headers: Record<string, string>) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/v4/projects',
        payload: { name: `P${Math.random()}` },
        cookies: visitor.cookies,
        headers
      })
    ).statusCode

  t.equal(await write({}), 403)
  t.equal(await write({ 'x-csrf-token': 'made-up' }), 403)
  t.equal(await write({ origin: 'https://evil.example', 'x-csrf-token': visitor.token }), 403)
  t.equal(await write({ 'x-csrf-token': visitor.token }), 201)
  t.equal(await write({ origin: 'http://tocsin.test', host: 'tocsin.test' }), 201)
})

t.test('changing the password takes the current one and ends all other sessions', async t => {
  const { app, visitor, platform } = await signedIn(t)
  const other = new Visitor(app)
  const change = (fields: Record<string, string>) =>
    visitor.post('/-/profile/password', { current: rootPassword, password: 'a password of mine', again: 'a password of mine', ...fields })

  await other.signIn()
  t.match((await change({ current: 'wrong' })).body, /id="current-error">The password is wrong/)
  t.match((await change({ password: 'short', again: 'short' })).body, /id="password-error">Enter 8 to 256/)
  t.match((await change({ password: 'Password1', again: 'Password1' })).body, /id="password-error">This password is too easy to guess/)
  t.match((await change({ again: 'another' })).body, /id="again-error">The passwords do not match/)
  t.equal((await other.get('/-/profile')).statusCode, 200)

  t.equal((await change({})).statusCode, 303)
  t.match((await visitor.get('/-/profile/password')).body, /Password changed/)
  t.equal((await other.get('/-/profile')).statusCode, 401)
  t.equal((await other.signIn()).statusCode, 401)
  t.equal((await other.signIn({ password: 'a password of mine' })).statusCode, 303)
  t.equal((await platform.pool.query(`SELECT FROM audit_events WHERE name = 'password_changed'`)).rowCount, 1)
})

t.test('sessions are listed by browser and can be ended', async t => {
  const { app, visitor, platform } = await signedIn(t)
  const [phone, tablet] = [new Visitor(app), new Visitor(app)]

  phone.headers['user-agent'] =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  await phone.signIn()
  await tablet.signIn()
  const { body } = await visitor.get('/-/profile/sessions')
  t.match(body, /Safari on iPhone/)
  t.equal(body.match(/Firefox on Linux<\/strong>/g)?.length, 2)
  t.equal(body.match(/>this session</g)?.length, 1)

  const [, action] = /action="([^"]+revocation)"[^>]*>[\s\S]{0,200}aria-label="End the session of Safari/.exec(body)!
  t.equal((await visitor.post(action!)).statusCode, 303)
  t.equal((await phone.get('/-/profile')).statusCode, 401)
  t.equal((await tablet.get('/-/profile')).statusCode, 200)
  t.equal((await visitor.post(action!)).statusCode, 404, 'an ended session is not found')

  t.equal((await visitor.post('/-/profile/sessions/others')).statusCode, 303)
  t.equal((await tablet.get('/-/profile')).statusCode, 401)
  t.equal((await visitor.get('/-/profile')).statusCode, 200)

  const { rows } = await platform.pool.query(
    `WITH eve AS (INSERT INTO users (username, name, email) VALUES ('eve', 'Eve', 'eve@example.com') RETURNING id)
     INSERT INTO sessions (user_id, token_hash, expires_at) SELECT id, 'x', now() + interval '1 day' FROM eve RETURNING id`
  )
  t.equal((await visitor.post(`/-/profile/sessions/${rows[0].id}/revocation`)).statusCode, 404, 'a session of another user is not found')
})

t.test('a session records when it was last seen, at most once a minute', async t => {
  const { visitor, platform } = await signedIn(t)
  const collected = async () => (await platform.pool.query('SELECT seen_at FROM sessions')).rows[0].seen_at as Date
  const first = await collected()

  await visitor.get('/-/profile')
  t.same(await collected(), first)
  await platform.pool.query(`UPDATE sessions SET seen_at = now() - interval '61 seconds'`)
  await visitor.get('/-/profile')
  t.ok((await collected()) >= first)
})

t.test('each sign-in creates a new session and ends the previous one', async t => {
  const { app, visitor, platform } = await signedIn(t)
  const former = { ...visitor.cookies }

  await visitor.signIn()
  t.not(visitor.cookies._service_session, former._service_session)
  t.equal((await app.inject({ url: '/api/v4/user', cookies: former })).statusCode, 401)
  t.same((await platform.pool.query('SELECT current_sign_in_at > last_sign_in_at AS kept FROM users')).rows, [{ kept: true }])
})

t.test('the session of a blocked user opens no page but can be signed out', async t => {
  const { app, visitor, platform } = await signedIn(t)

  await platform.pool.query(`UPDATE users SET state = 'blocked'`)
  const refused = await visitor.get('/-/profile')
  t.match(refused, { statusCode: 403, body: /Sign out/ })
  t.equal((await app.inject({ url: '/api/v4/user', cookies: visitor.cookies })).statusCode, 403)
  t.match((await new Visitor(app).signIn()).body, /role="alert">This account is blocked/)
  t.match(
    (await new Visitor(app).signIn({ password: 'wrong' })).body,
    /role="alert">Invalid username or password/,
    'only a user who knows the password learns it'
  )
  t.equal((await visitor.post('/users/sign_out')).statusCode, 303)
  t.equal((await platform.pool.query('SELECT FROM sessions')).rowCount, 0)
})
