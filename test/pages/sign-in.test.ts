import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { csrfTokenFor } from '#api/guards/csrf.ts'
import { ownPath } from '#api/redirect.ts'
import { deleteExpiredSessions } from '#identity/sessions/sessions.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const type = { 'content-type': 'application/x-www-form-urlencoded' }
const html = { accept: 'text/html' }
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const csrf = ({ _service_session: secret = '' }: Record<string, string>) => ({ csrf_token: csrfTokenFor(secret) })

const signIn = (app: FastifyInstance, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/users/sign_in',
    payload: form({ login: 'root', password: rootPassword, ...fields }),
    headers: { ...type, ...headers }
  })

t.test('the login is a username or an e-mail address, in any case', async t => {
  const { app, call } = await openApp(t)
  const password = 'a password of mine'
  const signedInAs = async (login: string) => {
    const { cookies } = await signIn(app, { login, password })

    return (await app.inject({ url: '/api/v4/user', cookies: { _service_session: cookies[0]?.value ?? '' } })).json().username
  }

  await call('POST', '/users', { username: 'jane', email: 'jane@example.com', name: 'Jane', password })
  await call('POST', '/users', { username: 'joe', email: 'joe@example.com', name: 'Joe', password })
  t.equal(await signedInAs('jane'), 'jane')
  t.equal(await signedInAs('Joe@Example.com'), 'joe')
  t.equal(await signedInAs('JOE'), 'joe')
  t.equal(await signedInAs('nobody@example.com'), undefined)
})

t.test('a user signs in, opens the dashboard and signs out', async t => {
  const { app } = await openApp(t)
  const asked = await app.inject({ url: '/admin/queues', headers: html })

  t.equal(asked.statusCode, 401)
  t.match(asked.body, /<form[^>]+action="\/users\/sign_in"[\s\S]*value="\/admin\/queues"/)
  t.match(asked.headers['content-security-policy'], /default-src 'none'/)

  const answered = await signIn(app, { return_to: '/admin/queues' })
  t.equal(answered.statusCode, 303)
  t.equal(answered.headers.location, '/admin/queues')
  const [cookie] = answered.cookies
  t.hasStrict(cookie, { name: '_service_session', httpOnly: true, sameSite: 'Lax', path: '/' })

  const cookies = { _service_session: cookie!.value }
  t.equal((await app.inject({ url: '/admin/queues', cookies, headers: html })).statusCode, 200)
  t.equal((await app.inject({ url: '/api/v4/user', cookies })).json().username, 'root')

  const signOut = { method: 'POST', url: '/users/sign_out', cookies, headers: { ...type, ...sameOrigin } } as const
  t.equal((await app.inject(signOut)).statusCode, 403, 'signing out takes a CSRF token')
  t.equal((await app.inject({ ...signOut, payload: form(csrf(cookies)) })).statusCode, 303)
  t.equal((await app.inject({ url: '/admin/queues', cookies, headers: html })).statusCode, 401)
})

t.test('an invalid username or password is reported and the username is kept', async t => {
  const { app } = await openApp(t)

  for (const fields of [{ password: 'wrong' }, { login: 'nobody' }, { login: 'ro%t' }] as Record<string, string>[]) {
    const response = await signIn(app, fields)
    t.equal(response.statusCode, 401)
    t.match(response.body, /role="alert">Invalid username or password/)
    t.equal(response.cookies.length, 0)
  }
  const { body } = await signIn(app, { login: '"><script>' })

  t.notMatch(body, /<script>/, 'the username is escaped')
  t.match(body, /value="&#34;/)
})

t.test('a user signs in with the username or the e-mail address, ignoring case', async t => {
  const { app } = await openApp(t)

  t.equal((await signIn(app, { login: 'ROOT' })).statusCode, 303)
  t.equal((await signIn(app, { login: 'Root@localhost' })).statusCode, 303)
})

t.test('with https, the session cookie is Secure and bound to the host', async t => {
  const { app } = await openApp(t, { env: { BASE_URL: 'https://tocsin.test' } })
  const [cookie] = (await signIn(app)).cookies

  t.hasStrict(cookie, { name: '__Host-_service_session', secure: true, path: '/', domain: undefined })
  t.equal((await app.inject({ url: '/api/v4/user', cookies: { [cookie!.name]: cookie!.value } })).statusCode, 200)
  t.equal((await app.inject({ url: '/api/v4/user', cookies: { _service_session: cookie!.value } })).statusCode, 401)
})

t.test('a blocked user cannot sign in', async t => {
  const { app, platform } = await openApp(t)

  await platform.pool.query(`UPDATE users SET state = 'blocked'`)
  t.equal((await signIn(app)).statusCode, 401)
})

t.test('a one-time password only allows choosing a new password', async t => {
  const { app, platform } = await openApp(t)

  await platform.pool.query('UPDATE users SET must_change_password = true')
  const answered = await signIn(app, { return_to: '/admin/queues' })
  t.equal(answered.headers.location, '/users/password?return_to=%2Fadmin%2Fqueues')
  const cookies = { _service_session: answered.cookies[0]!.value }

  t.match((await app.inject({ url: '/admin/queues', cookies, headers: html })).headers.location, /^\/users\/password/)
  t.equal((await app.inject({ url: '/api/v4/user', cookies })).statusCode, 403)
  t.equal((await app.inject({ url: '/users/password', cookies })).statusCode, 200)

  const change = (fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/users/password',
      cookies,
      payload: form({ ...csrf(cookies), ...fields }),
      headers: { ...type, ...sameOrigin }
    })
  t.match((await change({ password: 'short', again: 'short' })).body, /Enter 8 to 256 characters/)
  t.match((await change({ password: 'long enough', again: 'not the same' })).body, /do not match/)
  t.match((await change({ password: 'ILOVEYOU', again: 'ILOVEYOU' })).body, /too easy to guess/)
  t.match((await change({ password: rootPassword, again: rootPassword })).body, /other than the one-time/)
  t.equal((await change({ password: 'long enough', again: 'long enough' })).statusCode, 303)
  t.equal((await app.inject({ url: '/admin/queues', cookies, headers: html })).statusCode, 200)
  t.equal((await signIn(app, { password: 'long enough' })).statusCode, 303)
  t.equal((await signIn(app)).statusCode, 401, 'the one-time password no longer works')

  const again = await change({ password: 'yet another one', again: 'yet another one' })
  t.equal(again.headers.location, '/-/profile/password', 'the next change takes the current password')
  t.equal((await signIn(app, { password: 'yet another one' })).statusCode, 401)
})

t.test('requests from another site are refused', async t => {
  const { app } = await openApp(t)
  const crossSite = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<string, string>[]
  const cookies = { _service_session: (await signIn(app)).cookies[0]!.value }

  for (const headers of crossSite) {
    t.equal((await signIn(app, {}, headers)).statusCode, 403)
    t.equal((await app.inject({ method: 'POST', url: '/api/v4/projects', cookies, payload: { name: 'P' }, headers })).statusCode, 403)
    t.equal((await app.inject({ method: 'PUT', url: '/admin/queues/board/api/queues/errors/pause', cookies, headers })).statusCode, 403)
  }
  t.equal(
    (
      await app.inject({
        method: 'POST',
        url: '/api/v4/projects',
        cookies,
        payload: { name: 'P' },
        headers: { 'sec-fetch-site': 'same-origin' }
      })
    ).statusCode,
    201
  )
})

t.test('signing in redirects only to a path on this host', async t => {
  for (const path of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a\nb',
    '',
    undefined,
    ['/', '//evil.example'],
    '/\v/a',
    '/a\x7f',
    '/ä',
    '/a b'
  ])
    t.equal(ownPath(path), '/')
  t.equal(ownPath('/admin/queues?x=1'), '/admin/queues?x=1')
  const { app } = await openApp(t)

  t.hasStrict(await signIn(app, { return_to: '/\v/evil.example' }), { statusCode: 303, headers: { location: '/' } })
})

t.test('a client that does not accept HTML gets errors as JSON', async t => {
  const { app } = await openApp(t)

  t.match(await app.inject({ url: '/admin/queues' }), { statusCode: 401, headers: { 'content-type': /json/ } })
  t.equal((await app.inject({ url: '/users/password' })).statusCode, 401)
  t.match(await app.inject({ url: '/' }), { statusCode: 302, headers: { location: /^\/users\/sign_in$/ } })
  t.match(await app.inject({ url: '/nowhere' }), { statusCode: 404, headers: { 'content-type': /json/ } })
})

t.test('a session ends after 7 days without a request, and 14 days after signing in', async t => {
  const { app, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const daysLater = (days: number) =>
    platform.pool.query(
      `UPDATE sessions SET created_at = created_at - $1::interval, seen_at = seen_at - $1::interval, expires_at = expires_at - $1::interval`,
      [`${days} days`]
    )
  const statusAfter = async (days: number) => {
    await daysLater(days)

    return (await visitor.get('/-/profile')).statusCode
  }

  await visitor.signIn()
  t.equal(await statusAfter(7.01), 401)

  await visitor.signIn()
  t.equal(await statusAfter(6), 200)
  t.equal(await statusAfter(6), 200, 'each request postpones the end')
  t.equal(await statusAfter(2.01), 401, 'up to 14 days')
})

t.test('SESSION_IDLE_MINUTES sets the idle timeout, and idle sessions are neither listed nor kept', async t => {
  const { app, platform } = await openApp(t, { env: { SESSION_IDLE_MINUTES: '60' } })
  const [visitor, idle] = [new Visitor(app), new Visitor(app)]

  await idle.signIn()
  await platform.pool.query(`UPDATE sessions SET expires_at = expires_at - interval '61 minutes'`)
  await visitor.signIn()
  t.equal((await idle.get('/-/profile')).statusCode, 401)
  t.equal((await visitor.get('/-/profile/sessions')).body.match(/Firefox on Linux<\/strong>/g)?.length, 1)
  await deleteExpiredSessions(platform.fork(), new Date())
  t.equal((await platform.pool.query('SELECT FROM sessions')).rowCount, 1)
})
