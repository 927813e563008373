import t from 'tap'
import { openApp, rootToken } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const path = '/-/profile/tokens'
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function signedIn(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const visitor = new Visitor(world.app)

  await visitor.signIn()

  return { ...world, visitor }
}

t.test('a token is shown once, works within its scopes, and can be revoked', async t => {
  const { app, visitor, call } = await signedIn(t)
  const created = await visitor.post(path, { name: 'CI <1>', expires_at: day(7), scopes: ['read_api', 'read_user'] })
  const [, secret] = /value="(glpat-[^"]+)"/.exec(created.body) ?? []

  t.equal(created.statusCode, 201)
  t.equal((await call('GET', '/user', undefined, secret)).body.username, 'root')
  t.equal((await call('POST', '/projects', { name: 'P' }, secret)).status, 403)

  const { body } = await visitor.get(path)
  t.notMatch(body, secret!)
  t.match(body, /CI &#60;1&#62;[\s\S]+read_api[\s\S]+last used <time[^>]+>just now/)

  const [, action] = /action="([^"]+revocation)"[^>]*>[\s\S]{0,200}aria-label="Revoke CI/.exec(body)!
  t.equal((await visitor.post(action!)).statusCode, 303)
  t.equal((await call('GET', '/user', undefined, secret)).status, 401)
  t.equal((await visitor.post(action!)).statusCode, 404, 'a revoked token is not found')
  t.notMatch((await visitor.get(path)).body, /CI &/)
  t.equal((await app.inject({ url: '/api/v4/user', headers: { 'private-token': rootToken } })).statusCode, 200, 'other tokens stay valid')
})

t.test('an invalid token form shows errors beside the fields and keeps the values', async t => {
  const { visitor } = await signedIn(t)
  const { statusCode, body } = await visitor.post(path, { name: '', expires_at: day(0), scopes: 'made_up' })

  t.equal(statusCode, 400)
  for (const error of [
    /id="name-error">Enter a name/,
    /id="expires_at-error">Choose a date from tomorrow/,
    /id="scopes-error">Choose at least one/
  ])
    t.match(body, error)
  t.match(
    (await visitor.post(path, { name: 'Kept', expires_at: 'soon', scopes: 'api' })).body,
    /value="Kept"[\s\S]+expires_at-error[\s\S]+value="api" checked/
  )
  for (const expiry of ['', day(402)]) {
    const { statusCode, body } = await visitor.post(path, { name: 'No expiry', expires_at: expiry, scopes: 'api' })

    t.equal(statusCode, 400)
    t.match(body, /id="expires_at-error">Choose a date from tomorrow to \d{4}-\d\d-\d\d\./)
  }
})

t.test('a user neither sees nor revokes impersonation tokens', async t => {
  const { visitor, call } = await signedIn(t)
  const { body: token } = await call('POST', '/users/1/impersonation_tokens', { name: 'Hidden', scopes: ['api'] })

  t.notMatch((await visitor.get(path)).body, /Hidden/)
  t.equal((await visitor.post(`${path}/${token.id}/revocation`)).statusCode, 404)
  t.equal((await call('GET', '/user', undefined, token.token)).status, 200)
})

t.test('only admins can create a token with the scope sudo', async t => {
  const { visitor, platform } = await signedIn(t)

  await platform.pool.query('UPDATE users SET is_admin = false')
  t.notMatch((await visitor.get(path)).body, /value="sudo"/)
  t.equal((await visitor.post(path, { name: 'P', expires_at: day(7), scopes: 'sudo' })).statusCode, 400)
})

t.test('an access token does not open the settings pages', async t => {
  const { app, visitor } = await signedIn(t)
  const headers = { 'private-token': rootToken, accept: 'text/html' }

  for (const url of [path, '/-/profile', '/-/profile/password', '/-/profile/two_factor', '/-/profile/sessions']) {
    t.match(await app.inject({ url, headers }), { statusCode: 403, body: /Sign in with a browser/ })
    t.equal((await app.inject({ url, headers, cookies: visitor.cookies })).statusCode, 403)
  }
})
