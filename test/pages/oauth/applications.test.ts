import t from 'tap'
import { anApplication, authorizeUrl, decide, redirectUri, sentTo } from '../../oauth/authorizing.ts'
import { openApp, rootToken } from '../../support/world.ts'
import { Visitor } from '../visitor.ts'

const path = '/-/profile/applications'
const values = { name: 'Deploy <board>', redirect_uris: `${redirectUri}\r\n`, is_confidential: 'true', scopes: ['read_user', 'openid'] }

async function signedIn(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const visitor = new Visitor(world.app)
  const { app } = world

  await visitor.signIn()

  return {
    ...world,
    visitor,
    /** The status of a request for a token of the application itself. */
    tokenStatus: async (client_id: string, client_secret: string) => {
      const payload = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope: 'read_user' }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }

      return (await app.inject({ method: 'POST', url: '/oauth/token', payload, headers })).statusCode
    }
  }
}

const read = (body: string) => ({
  uid: /id="application_id"[^>]* value="(\w{64})"/.exec(body)?.[1] ?? '',
  secret: /id="secret"[^>]* value="(gloas-\w{64})"/.exec(body)?.[1] ?? '',
  action: /action="([^"]+)\/deletion"/.exec(body)?.[1] ?? ''
})

t.test('a user registers an application, and its secret is shown once', async t => {
  const { visitor, tokenStatus } = await signedIn(t)
  const created = await visitor.post(path, values)
  const { uid, secret, action } = read(created.body)

  t.equal(created.statusCode, 201)
  t.equal(await tokenStatus(uid, secret), 200)
  const { body } = await visitor.get(action)
  t.match(body, /<h1>Deploy &#60;board&#62;/)
  t.notMatch(body, secret)
  t.match((await visitor.get(path)).body, /Deploy &#60;board&#62;<\/strong>[\s\S]+read_user[\s\S]+openid[\s\S]+confidential/)
})

t.test('a renewed secret replaces the former one', async t => {
  const { visitor, tokenStatus } = await signedIn(t)
  const first = read((await visitor.post(path, values)).body)
  const renewed = await visitor.post(`${first.action}/secret`)

  t.equal(renewed.statusCode, 201)
  t.equal(await tokenStatus(first.uid, first.secret), 401)
  t.equal(await tokenStatus(first.uid, read(renewed.body).secret), 200)
})

t.test('an application is changed and deleted', async t => {
  const { visitor, call } = await signedIn(t)
  const { uid, action } = read((await visitor.post(path, values)).body)

  t.equal((await visitor.post(action, { ...values, name: 'Renamed', scopes: 'api' })).statusCode, 303)
  t.match((await visitor.get(action)).body, /Application saved[\s\S]+<h1>Renamed[\s\S]+value="api" checked/)
  t.match((await visitor.get(authorizeUrl(uid, { scope: 'api' }))).body, /<h1>Authorize Renamed/)
  t.equal((await visitor.post(`${action}/deletion`)).statusCode, 303)
  t.equal((await visitor.get(action)).statusCode, 404)
  t.equal((await visitor.get(authorizeUrl(uid))).statusCode, 401)
  const { body: events } = await call('GET', '/audit_events?entity_type=User&entity_id=1')
  t.same(
    events.slice(0, 3).map((event: { event_name: string }) => event.event_name),
    ['oauth_application_deleted', 'oauth_application_updated', 'oauth_application_created']
  )
})

t.test('consent is forgotten when the name or the redirect URIs of an application change', async t => {
  const { visitor } = await signedIn(t)
  const { uid, action } = read((await visitor.post(path, values)).body)
  const request = authorizeUrl(uid)
  const moved = `${redirectUri}\nhttps://elsewhere.example/callback`

  for (const change of [{ name: 'Renamed' }, { name: 'Renamed', redirect_uris: moved }]) {
    await decide(visitor, await visitor.get(request), 'approve')
    t.equal((await visitor.get(request)).statusCode, 303, 'consent is remembered')
    t.equal((await visitor.post(action, { ...values, ...change })).statusCode, 303)
    t.match((await visitor.get(request)).body, /<h1>Authorize Renamed/, JSON.stringify(change))
  }
  await decide(visitor, await visitor.get(request), 'approve')
  await visitor.post(action, { ...values, name: 'Renamed', redirect_uris: moved, scopes: ['read_user'] })
  t.equal((await visitor.get(request)).statusCode, 303, 'a change of scopes forgets nothing')
})

t.test('a public application has no secret', async t => {
  const { visitor } = await signedIn(t)
  const { is_confidential: _, ...rest } = values
  const created = await visitor.post(path, rest)

  t.match(created.body, /This application is public: it has no secret/)
  t.equal(read(created.body).secret, '')
  t.equal((await visitor.post(`${read(created.body).action}/secret`)).statusCode, 400)
})

t.test('an invalid form shows errors beside the fields and keeps the values', async t => {
  const { visitor } = await signedIn(t)
  const { action } = read((await visitor.post(path, values)).body)
  const wrong = { ...values, name: ' ', redirect_uris: 'javascript:alert(1)\nnowhere', scopes: [] }

  for (const url of [path, action]) {
    const { statusCode, body } = await visitor.post(url, wrong)

    t.equal(statusCode, 400)
    t.match(body, /id="name-error">Enter a name/)
    t.match(body, /id="redirect_uris-error">A redirect URI is forbidden by the server\. A redirect URI must be an absolute URI\./)
    t.match(body, /id="scopes-error">Choose at least one/)
    t.match(body, />javascript:alert\(1\)\nnowhere<\/textarea>/)
  }
  t.equal((await visitor.post(path, { ...values, name: 'n'.repeat(256) })).statusCode, 400)
  t.equal((await visitor.post(path, { ...values, scopes: 'made_up' })).statusCode, 400)
})

t.test('the form says how to write a redirect URI that cannot work, and how many there may be', async t => {
  const { visitor } = await signedIn(t)
  const errorOf = async (redirect_uris: string) =>
    /id="redirect_uris-error">([^<]*)/.exec((await visitor.post(path, { ...values, redirect_uris })).body)?.[1]

  t.equal(
    await errorOf('https://b\u00fccher.example/cb'),
    'A redirect URI must be printable ASCII: write the host in Punycode (xn--), and percent-encode other characters.'
  )
  t.equal(
    await errorOf(Array.from({ length: 21 }, (_, n) => `${redirectUri}/${n}`).join('\n')),
    'A redirect URI is one of too many (maximum is 20).'
  )
})

t.test('users see only their own applications, and only admins those of the instance', async t => {
  const { app, visitor, call } = await signedIn(t)
  const { action } = read((await visitor.post(path, values)).body)
  const instance = read((await visitor.post('/admin/applications', { ...values, name: 'Wiki' })).body)
  const password = 'a long password of ada'
  const ada = new Visitor(app)

  t.match((await visitor.get('/admin/applications')).body, /<strong>Wiki/)
  t.notMatch((await visitor.get('/admin/applications')).body, /Deploy/)
  await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password, skip_confirmation: true })
  await ada.signIn({ login: 'ada', password })
  await ada.post('/users/password', { password: `${password} 2`, again: `${password} 2` })
  t.notMatch((await ada.get(path)).body, /Deploy/)
  for (const url of [action, instance.action.replace('/admin/applications', path)]) {
    t.equal((await ada.get(url)).statusCode, 404)
    t.equal((await ada.post(`${url}/deletion`)).statusCode, 404)
    t.equal((await ada.post(`${url}/secret`)).statusCode, 404)
    t.equal((await ada.post(url, values)).statusCode, 404)
  }
  for (const url of ['/admin/applications', instance.action]) t.equal((await ada.get(url)).statusCode, 403)
  t.equal((await ada.post('/admin/applications', values)).statusCode, 403)
  for (const url of [path, '/admin/applications']) {
    t.equal((await app.inject({ url, headers: { 'private-token': rootToken, accept: 'text/html' } })).statusCode, 403, 'no token opens it')
  }
})

t.test('admins see and delete applications that registered themselves, after the others', async t => {
  const { visitor, platform } = await signedIn(t)

  await visitor.post('/admin/applications', { ...values, name: 'Wiki' })
  const { id } = await anApplication(platform, { name: 'Agent', owner: null, isDynamic: true })
  const { body } = await visitor.get('/admin/applications')

  t.match(body, /<strong>Wiki<\/strong>[\s\S]+<strong>Agent<\/strong>[\s\S]+registered itself/)
  t.equal((await visitor.post(`/admin/applications/${id}/deletion`)).statusCode, 303)
  t.notMatch((await visitor.get('/admin/applications')).body, /Agent/)
})

t.test('a user sees what they authorized, and revokes it with its tokens and codes', async t => {
  const { app, visitor, call } = await signedIn(t)
  const { uid, secret } = read((await visitor.post(path, values)).body)
  const authorize = async () => {
    const page = await visitor.get(authorizeUrl(uid))

    return sentTo(page.statusCode === 200 ? await decide(visitor, page, 'approve') : page).code!
  }
  const exchange = async (code: string) => {
    const form = { grant_type: 'authorization_code', client_id: uid, client_secret: secret, code, redirect_uri: redirectUri }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }

    return (await app.inject({ method: 'POST', url: '/oauth/token', payload: new URLSearchParams(form).toString(), headers })).json()
  }
  const statusWith = async (token: string) =>
    (await app.inject({ url: '/api/v4/user', headers: { authorization: `Bearer ${token}` } })).statusCode

  t.match((await visitor.get(path)).body, /You have not authorized any application/)
  const { access_token: token } = await exchange(await authorize())
  const pending = await authorize()
  t.equal(await statusWith(token), 200)

  const { body } = await visitor.get(path)
  t.match(body, /Deploy &#60;board&#62;<\/strong> <span class="badge">read_user<\/span>[\s\S]+of root · since/)
  const [, action] = /action="([^"]+revocation)"/.exec(body)!
  t.equal((await visitor.post(action!)).statusCode, 303)
  t.equal(await statusWith(token), 401)
  t.equal((await exchange(pending)).error, 'invalid_grant')
  t.match((await visitor.get(path)).body, /Access revoked[\s\S]+You have not authorized any application/)
  t.match((await visitor.get(authorizeUrl(uid))).body, /<h1>Authorize/, 'the consent is forgotten')
  t.equal((await visitor.post(action!)).statusCode, 404)
  const { body: events } = await call('GET', '/audit_events?entity_type=User&entity_id=1')
  t.equal(events[0].event_name, 'oauth_authorization_revoked')
})

t.test('long lists of applications have pages', async t => {
  const { visitor, platform } = await signedIn(t)
  const names = Array.from({ length: 51 }, (_, n) => `Client ${n}`)
  const shown = (body: string) => names.filter(name => body.includes(`<strong>${name}</strong>`))

  for (const owner of [1, null]) {
    for (const name of names) await anApplication(platform, { name, owner })
    const list = owner ? path : '/admin/applications'
    const first = (await visitor.get(list)).body
    const second = (await visitor.get(`${list}?page=2`)).body

    t.same(shown(first), names.slice(1), 'the newest 50')
    t.match(first, `rel="next" href="${list}?page=2"`)
    t.notMatch(first, 'rel="prev"')
    t.same(shown(second), ['Client 0'])
    t.match(second, `rel="prev" href="${list}?page=1"`)
    t.notMatch(second, 'rel="next"')
    for (const odd of ['0', '-1', 'x', '1e3']) t.same(shown((await visitor.get(`${list}?page=${odd}`)).body), names.slice(1), odd)
    t.match((await visitor.get(`${list}?page=9999`)).body, 'There are no more applications.')
  }
})
