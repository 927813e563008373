import t from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

async function signedIn(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const visitor = new Visitor(world.app)

  await visitor.signIn()

  return { ...world, visitor }
}

t.test('a profile is changed, and says so once', async t => {
  const { visitor, platform } = await signedIn(t)
  const fields = {
    name: 'Ada',
    isEmailPublic: 'true',
    bio: 'Counts.',
    location: 'London',
    organization: '',
    jobTitle: 'Countess',
    websiteUrl: 'https://ada.example',
    isPrivateProfile: 'true'
  }

  t.match(await visitor.post('/-/profile', fields), { statusCode: 303, headers: { location: '/-/profile' } })
  t.match((await visitor.get('/-/profile')).body, /role="status">Your profile is saved/)
  const { body } = await visitor.get('/-/profile')
  t.notMatch(body, /is saved/)
  t.match(body, /value="Countess"/)
  const read = async () => (await platform.pool.query('SELECT name, public_email, is_private_profile, bio FROM users')).rows[0]
  t.match(await read(), { name: 'Ada', public_email: 'root@localhost', is_private_profile: true, bio: 'Counts.' })

  await visitor.post('/-/profile', { name: 'Ada' })
  t.match(await read(), { public_email: '', is_private_profile: false, bio: '' }, 'an unchecked box is a no')
  t.same(
    (
      await platform.pool.query(
        `SELECT details->'changed' AS changed FROM audit_events WHERE name = 'user_updated' ORDER BY id DESC LIMIT 1`
      )
    ).rows,
    [{ changed: ['bio', 'location', 'jobTitle', 'websiteUrl', 'isPrivateProfile', 'publicEmail'] }]
  )
})

t.test('what is wrong with a profile stands beside its field, and nothing that was typed is lost', async t => {
  const { visitor } = await signedIn(t)
  const { statusCode, body } = await visitor.post('/-/profile', {
    name: ' ',
    websiteUrl: 'javascript:alert(1)',
    bio: '</textarea><b>',
    location: 'x'.repeat(256)
  })

  t.equal(statusCode, 400)
  t.match(body, /id="name"[^>]+aria-describedby="name-error" aria-invalid="true"[\s\S]+id="name-error">Enter a name/)
  t.match(body, /value="javascript:alert\(1\)"[\s\S]+id="websiteUrl-error">Enter an address/)
  t.match(body, /id="location-error">Use at most 255/)
  t.match(body, /&#60;\/textarea&#62;&#60;b&#62;/)
})

t.test('a form is taken only with what a page of ours puts into it', async t => {
  const { app, visitor } = await signedIn(t)
  const other = new Visitor(app)

  await other.signIn()
  for (const csrf_token of ['', 'made-up', other.token]) {
    const refused = await visitor.post('/-/profile', { name: 'Mallory', csrf_token })
    t.match(refused, { statusCode: 403, body: /no longer valid/ }, csrf_token)
  }
  t.equal((await visitor.post('/-/profile', { name: 'Mallory', csrf_token: ['x', visitor.token] })).statusCode, 403)
  t.match((await visitor.get('/-/profile')).body, /value="Administrator"/)

  visitor.headers['sec-fetch-site'] = 'cross-site'
  t.equal((await visitor.post('/-/profile', { name: 'Mallory' })).statusCode, 403, 'and not from elsewhere, even with it')
})

t.test('the API takes a write by cookie from our own pages, or with the token of one', async t => {
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

t.test('a new password takes the current one, and ends every other session at once', async t => {
  const { app, visitor, platform } = await signedIn(t)
  const other = new Visitor(app)
  const change = (fields: Record<string, string>) =>
    visitor.post('/-/profile/password', { current: rootPassword, password: 'a password of mine', again: 'a password of mine', ...fields })

  await other.signIn()
  t.match((await change({ current: 'wrong' })).body, /id="current-error">That is not your password/)
  t.match((await change({ password: 'short', again: 'short' })).body, /id="password-error">Use at least 8/)
  t.match((await change({ again: 'another' })).body, /id="again-error">The two do not match/)
  t.equal((await other.get('/-/profile')).statusCode, 200)

  t.equal((await change({})).statusCode, 303)
  t.match((await visitor.get('/-/profile/password')).body, /Your password is changed/)
  t.equal((await other.get('/-/profile')).statusCode, 401)
  t.equal((await other.signIn()).statusCode, 401)
  t.equal((await other.signIn({ password: 'a password of mine' })).statusCode, 303)
  t.equal((await platform.pool.query(`SELECT FROM audit_events WHERE name = 'password_changed'`)).rowCount, 1)
})

t.test('sessions are told apart, and ended at once', async t => {
  const { app, visitor, platform } = await signedIn(t)
  const [phone, tablet] = [new Visitor(app), new Visitor(app)]

  phone.headers['user-agent'] =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  await phone.signIn()
  await tablet.signIn()
  const { body } = await visitor.get('/-/profile/sessions')
  t.match(body, /Safari on iPhone/)
  t.equal(body.match(/Firefox on Linux<\/strong>/g)?.length, 2)
  t.equal(body.match(/>this one</g)?.length, 1)

  const [, action] = /action="([^"]+revocation)"[^>]*>[\s\S]{0,200}aria-label="End the session of Safari/.exec(body)!
  t.equal((await visitor.post(action!)).statusCode, 303)
  t.equal((await phone.get('/-/profile')).statusCode, 401)
  t.equal((await tablet.get('/-/profile')).statusCode, 200)
  t.equal((await visitor.post(action!)).statusCode, 404, 'twice is once')

  t.equal((await visitor.post('/-/profile/sessions/others')).statusCode, 303)
  t.equal((await tablet.get('/-/profile')).statusCode, 401)
  t.equal((await visitor.get('/-/profile')).statusCode, 200)

  const { rows } = await platform.pool.query(
    `WITH eve AS (INSERT INTO users (username, name, email) VALUES ('eve', 'Eve', 'eve@example.com') RETURNING id)
     INSERT INTO sessions (user_id, token_hash, expires_at) SELECT id, 'x', now() + interval '1 day' FROM eve RETURNING id`
  )
  t.equal((await visitor.post(`/-/profile/sessions/${rows[0].id}/revocation`)).statusCode, 404, 'those of others are none of ours')
})

t.test('when a session was last seen is noted, at most once a minute', async t => {
  const { visitor, platform } = await signedIn(t)
  const seen = async () => (await platform.pool.query('SELECT seen_at FROM sessions')).rows[0].seen_at as Date
  const first = await seen()

  await visitor.get('/-/profile')
  t.same(await seen(), first)
  await platform.pool.query(`UPDATE sessions SET seen_at = now() - interval '61 seconds'`)
  await visitor.get('/-/profile')
  t.ok((await seen()) >= first)
})

t.test('each sign-in has a secret of its own, and the one before is worth nothing', async t => {
  const { app, visitor, platform } = await signedIn(t)
  const former = { ...visitor.cookies }

  await visitor.signIn()
  t.not(visitor.cookies._service_session, former._service_session)
  t.equal((await app.inject({ url: '/api/v4/user', cookies: former })).statusCode, 401)
  t.match((await platform.pool.query('SELECT current_sign_in_at > last_sign_in_at AS kept FROM users')).rows, [{ kept: true }])
})

t.test('the session of somebody who is blocked is useless at once, but can be ended', async t => {
  const { app, visitor, platform } = await signedIn(t)

  await platform.pool.query(`UPDATE users SET state = 'blocked'`)
  const refused = await visitor.get('/-/profile')
  t.match(refused, { statusCode: 403, body: /Sign out/ })
  t.equal((await app.inject({ url: '/api/v4/user', cookies: visitor.cookies })).statusCode, 403)
  t.match((await new Visitor(app).signIn()).body, /role="alert">This account is blocked/)
  t.match((await new Visitor(app).signIn({ password: 'wrong' })).body, /role="alert">Name and password/, 'which only its owner learns')
  t.equal((await visitor.post('/users/sign_out')).statusCode, 303)
  t.equal((await platform.pool.query('SELECT FROM sessions')).rowCount, 0)
})
