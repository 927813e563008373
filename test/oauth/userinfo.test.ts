import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { aPerson } from '../identity/people.ts'
import { Visitor } from '../pages/visitor.ts'
import { openApp } from '../support/world.ts'
import { anApplication } from './authorizing.ts'

const password = 'the password of ann'

/** Ann, the developer of one group and the owner of another, with an application that she gives her password to. */
async function openProvider(t: Test) {
  const { app, call, platform } = await openApp(t)
  const { id } = await aPerson(call, 'ann', { password, force_random_password: false, website_url: 'https://ann.example' })
  const client = await anApplication(platform, { owner: null })
  const group = async (name: string, level: number, parent?: number) => {
    const { body } = await call('POST', '/groups', { name, path: name, parent_id: parent })

    if (level > 0) await call('POST', `/groups/${body.id}/members`, { user_id: id, access_level: level })

    return body.id as number
  }
  const shop = await group('shop', 30)

  await group('backend', 0, shop)
  await group('ops', 50)
  const tokensFor = async (scope: string) => {
    const response = await app.inject({
      method: 'POST',
      url: '/oauth/token',
      payload: {
        grant_type: 'password',
        username: 'ann',
        password,
        scope,
        client_id: client.client_id,
        client_secret: client.client_secret
      }
    })

    return response.json<{ access_token: string; id_token?: string }>()
  }
  const userinfo = (headers: Record<string, string>, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'GET') =>
    app.inject({ method, url: '/oauth/userinfo', headers })

  return { app, call, platform, id, client, tokensFor, userinfo, as: (token: string) => ({ authorization: `Bearer ${token}` }) }
}

t.test('each scope adds its claims', async t => {
  const { id, tokensFor, userinfo, as, client } = await openProvider(t)
  const profile = {
    name: 'ann',
    nickname: 'ann',
    preferred_username: 'ann',
    profile: 'http://tocsin.test/ann',
    website: 'https://ann.example'
  }
  const email = { email: 'ann@example.com', email_verified: true }
  const groups = {
    groups: ['ops', 'shop', 'shop/backend'],
    'https://gitlab.org/claims/groups/owner': ['ops'],
    'https://gitlab.org/claims/groups/maintainer': [],
    'https://gitlab.org/claims/groups/developer': ['shop', 'shop/backend']
  }
  const cases: [scope: string, shown: object, inIdToken: object][] = [
    ['openid', {}, {}],
    ['openid email', email, email],
    ['openid profile', { ...profile, ...groups }, { ...profile, groups_direct: ['ops', 'shop'] }],
    ['openid profile email', { ...profile, ...email, ...groups }, { ...profile, ...email, groups_direct: ['ops', 'shop'] }]
  ]

  for (const [scope, shown, inIdToken] of cases) {
    const { access_token: token, id_token: idToken } = await tokensFor(scope)
    const { iat, exp, auth_time: authTime, at_hash: hash, ...claims } = decodeJwt(idToken!)

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = await userinfo(as(token), method)

      t.equal(response.statusCode, 200, scope)
      t.same(response.json(), { sub: String(id), ...shown }, scope)
      t.equal(response.headers['cache-control'], 'no-store')
      t.equal(response.headers['access-control-allow-origin'], '*')
    }
    t.same(claims, { iss: 'http://tocsin.test', aud: client.client_id, sub: String(id), ...inIdToken }, scope)
    t.equal(exp! - iat!, 120)
    t.equal(authTime, iat, 'the password was checked now')
    t.match(hash, /^[\w-]{22}$/)
  }
})

t.test('an address that was not confirmed is not verified', async t => {
  const { platform, id, tokensFor, userinfo, as } = await openProvider(t)
  const { access_token: token } = await tokensFor('openid email')

  await platform.pool.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [id])
  t.same((await userinfo(as(token))).json(), { sub: String(id), email: 'ann@example.com', email_verified: false })
})

t.test('without openid there is no ID token, and no userinfo', async t => {
  const { tokensFor, userinfo, as } = await openProvider(t)
  const { access_token: token, id_token: idToken } = await tokensFor('read_user profile')
  const response = await userinfo(as(token))

  t.equal(idToken, undefined)
  t.equal(response.statusCode, 403)
  t.equal(response.body, '')
  t.match(String(response.headers['www-authenticate']), 'error="insufficient_scope"')
  t.match(String(response.headers['www-authenticate']), 'scope="openid"')
})

t.test('userinfo needs an access token of an application', async t => {
  const { app, call, userinfo, as } = await openProvider(t)
  const { token } = await aPerson(call, 'bob')
  const visitor = new Visitor(app)
  const missing = await userinfo({})

  await visitor.signIn()
  t.equal(missing.statusCode, 401)
  t.equal(missing.body, '')
  t.equal(missing.headers['www-authenticate'], 'Bearer realm="Tocsin"', 'no error before there is a token')
  for (const unknown of ['0'.repeat(64), 'glpat-unknown']) {
    const { statusCode, headers } = await userinfo(as(unknown))

    t.equal(statusCode, 401)
    t.match(String(headers['www-authenticate']), 'error="invalid_token"')
  }
  t.equal((await userinfo(as(token))).statusCode, 403, 'a personal token')
  t.equal((await visitor.get('/oauth/userinfo')).statusCode, 401, 'a session')
})
