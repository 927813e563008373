import t from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { rootPassword } from '../support/world.ts'
import { anApplication, authorizeUrl, decide, openAuthorization, pkce, redirectUri, sentTo } from './authorizing.ts'

const iss = 'http://tocsin.test'

t.test('a user approves a request, and the application receives a code, its state and the issuer', async t => {
  const { visitor, url, platform } = await openAuthorization(t)
  const consent = await visitor.get(url({ nonce: 'n', ...pkce().parameters }))

  t.equal(consent.statusCode, 200)
  t.match(consent.body, /<h1>Authorize Deploy board\?/)
  t.match(consent.body, /Administrator<\/strong> \(root\) registered it on/)
  t.match(consent.body, /Read your profile and activity\. <code>read_user/)
  t.match(consent.body, /continue to <strong>client\.example</)

  const approved = await decide(visitor, consent, 'approve')
  const { code, ...rest } = sentTo(approved)
  t.equal(approved.statusCode, 303)
  t.same(rest, { state: 'a state', iss })
  t.match(code, /^[0-9a-f]{64}$/)

  const { rows } = await platform.pool.query('SELECT * FROM oauth_codes')
  t.equal(rows.length, 1)
  t.same(rows[0].scopes, ['read_user'])
  t.equal(rows[0].nonce, 'n')
  t.equal(rows[0].redirect_uri, redirectUri)
  t.equal(rows[0].expires_at - rows[0].created_at, 600_000)
  t.notMatch(JSON.stringify(rows), code!, 'the code is stored as a hash')
})

t.test('a denial is sent to the application and not remembered', async t => {
  const { visitor, url, platform } = await openAuthorization(t)
  const denied = await decide(visitor, await visitor.get(url()), 'deny')

  t.same(sentTo(denied), {
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request.',
    state: 'a state',
    iss
  })
  t.match((await visitor.get(url())).body, /<h1>Authorize/, 'the next request asks again')
  t.equal((await platform.pool.query('SELECT FROM oauth_codes')).rowCount, 0)
})

t.test('decisions are audited', async t => {
  const { visitor, url, call } = await openAuthorization(t)

  await decide(visitor, await visitor.get(url()), 'deny')
  await decide(visitor, await visitor.get(url()), 'approve')
  const { body: events } = await call('GET', '/audit_events?entity_type=User&entity_id=1')

  t.same(
    events.slice(0, 2).map((event: { event_name: string; details: Record<string, unknown> }) => [event.event_name, event.details.scopes]),
    [
      ['oauth_request_approved', ['read_user']],
      ['oauth_request_denied', ['read_user']]
    ]
  )
})

t.test('consent is remembered for its scopes', async t => {
  const { visitor, url } = await openAuthorization(t)

  await decide(visitor, await visitor.get(url({ scope: 'read_user openid' })), 'approve')
  const again = await visitor.get(url({ scope: 'openid' }))
  t.equal(again.statusCode, 303)
  t.match(sentTo(again).code, /^[0-9a-f]{64}$/)

  const wider = await visitor.get(url({ scope: 'openid api' }))
  t.match(wider.body, /<h1>Authorize/)
  await decide(visitor, wider, 'approve')
  t.match(sentTo(await visitor.get(url({ scope: 'read_user openid api' }))).code, /\w/, 'earlier scopes stay')
  t.match((await visitor.get(url({ prompt: 'consent' }))).body, /<h1>Authorize/)
})

t.test('a public client on the device is shown to the user each time, an https one is remembered', async t => {
  const loopback = 'http://127.0.0.1/callback'
  const redirectUris = [redirectUri, loopback, 'com.example.app:/callback']
  const { visitor, url } = await openAuthorization(t, { application: { isConfidential: false, redirectUris } })

  for (const [uri, isAsked] of [
    ['http://127.0.0.1:5317/callback', true],
    ['com.example.app:/callback', true],
    [redirectUri, false]
  ] as const) {
    const request = url({ redirect_uri: uri, ...pkce().parameters })
    const first = await visitor.get(request)
    if (first.statusCode === 200) t.match(sentTo(await decide(visitor, first, 'approve'), uri).code, /^\w{64}$/, uri)

    t.equal((await visitor.get(request)).statusCode, isAsked ? 200 : 303, uri)
  }
})

t.test('a public client on the device is shown to the user although an admin registered it', async t => {
  const app = 'com.example.app:/callback'
  const { visitor, url } = await openAuthorization(t, {
    application: { owner: null, isConfidential: false, redirectUris: [app, redirectUri] }
  })
  const request = (uri: string) => url({ redirect_uri: uri, ...pkce().parameters })

  t.match((await visitor.get(request(app))).body, /<h1>Authorize/)
  t.match(sentTo(await visitor.get(request(redirectUri))).code, /^[0-9a-f]{64}$/)
})

t.test('an application of the instance needs no consent, one that registered itself does', async t => {
  const { visitor, platform } = await openAuthorization(t)
  const trusted = await anApplication(platform, { owner: null })
  const dynamic = await anApplication(platform, { owner: null, isDynamic: true })

  t.match(sentTo(await visitor.get(authorizeUrl(trusted.client_id))).code, /\w/)
  t.match((await visitor.get(authorizeUrl(trusted.client_id, { prompt: 'consent' }))).body, /An admin of this instance registered it on/)
  t.match((await visitor.get(authorizeUrl(dynamic.client_id))).body, /It registered itself on .+ Tocsin does not know its developers/)
})

t.test('a visitor signs in first, with two factors, and comes back to the request', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  const { recoveryCodes } = await visitor.enrol()
  const newcomer = new Visitor(app)
  const signIn = await newcomer.get(url({ login_hint: 'root' }))

  t.equal(signIn.statusCode, 200)
  t.match(signIn.body, /to continue to <strong>Deploy board/)
  t.match(signIn.body, /name="login"[^>]* value="root"/)
  const [, back] = /name="return_to" value="([^"]+)"/.exec(signIn.body)!
  const posted = await newcomer.post('/users/sign_in', { login: 'root', password: rootPassword, return_to: readEntities(back!) })
  t.match(posted.headers.location, /^\/users\/sign_in\/code\?return_to=%2Foauth%2Fauthorize/)

  const codePage = await newcomer.get(posted.headers.location as string)
  const [, stillBack] = /name="return_to" value="([^"]+)"/.exec(codePage.body)!
  const withCode = await newcomer.post('/users/sign_in/code', { code: recoveryCodes[0]!, return_to: readEntities(stillBack!) })
  t.match((await newcomer.get(withCode.headers.location as string)).body, /<h1>Authorize Deploy board/)
})

t.test('the sign-in names the application after a wrong password and at the second factor', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  await visitor.enrol()
  const newcomer = new Visitor(app)
  const signIn = (password: string) => newcomer.post('/users/sign_in', { login: 'root', password, return_to: url() })
  const wrong = await signIn('a wrong password')

  t.equal(wrong.statusCode, 401)
  t.match(wrong.body, /to continue to <strong>Deploy board/)
  const codePage = await newcomer.get((await signIn(rootPassword)).headers.location as string)
  t.match(codePage.body, /<h1>Two-factor[\s\S]+to continue to <strong>Deploy board/)
})

t.test('an invalid request stays invalid after the sign-in', async t => {
  const { app, visitor, url } = await openAuthorization(t)

  await decide(visitor, await visitor.get(url()), 'approve')
  for (const [parameters, error] of [
    [{ max_age: 'abc' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'none', scope: 'made_up' }, 'invalid_scope']
  ] as const) {
    const newcomer = new Visitor(app)
    const { statusCode, body } = await newcomer.get(url(parameters))
    const [, back] = /name="return_to" value="([^"]+)"/.exec(body)!

    t.equal(statusCode, 200)
    const signedIn = await newcomer.post('/users/sign_in', { login: 'root', password: rootPassword, return_to: readEntities(back!) })
    const next = await newcomer.get(signedIn.headers.location as string)
    t.hasStrict(sentTo(next), { error, state: 'a state' }, JSON.stringify(parameters))
  }
})

t.test('another account is asked for consent when the request says so', async t => {
  const { visitor, url } = await openAuthorization(t)
  const promptOf = async (parameters: { prompt?: string }) => {
    const [, query] = /href="\/oauth\/authorize\?([^"]+)">Use another account/.exec((await visitor.get(url(parameters))).body)!

    return new URLSearchParams(readEntities(query!)).get('prompt')
  }

  t.equal(await promptOf({}), 'select_account')
  t.equal(await promptOf({ prompt: 'consent' }), 'select_account consent')
})

t.test('an access token does not stand in for the user', async t => {
  const { app, url } = await openAuthorization(t)
  const headers = { accept: 'text/html', 'private-token': 'glpat-root-token-for-the-tests' }

  t.match((await app.inject({ url: url(), headers })).body, /<h1>Sign in/)
})

t.test('prompt=login and max_age ask for the password again, and then no more', async t => {
  const { visitor, url, platform } = await openAuthorization(t)

  await decide(visitor, await visitor.get(url()), 'approve')
  for (const parameters of [{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }, { prompt: 'login consent' }]) {
    await platform.pool.query("UPDATE sessions SET created_at = created_at - interval '1 minute'")
    const { body } = await visitor.get(url(parameters))
    const [, back] = /name="return_to" value="([^"]+)"/.exec(body)!

    t.match(body, /<h1>Sign in/, JSON.stringify(parameters))
    const signedIn = await visitor.post('/users/sign_in', { login: 'root', password: rootPassword, return_to: readEntities(back!) })
    const next = await visitor.get(signedIn.headers.location as string)
    t.equal(next.statusCode, parameters.prompt === 'login consent' ? 200 : 303, JSON.stringify(parameters))
  }
  t.equal((await visitor.get(url({ max_age: '3600' }))).statusCode, 303, 'the sign-in is recent enough')
})

t.test('prompt=none shows no page', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  const silent = url({ prompt: 'none' })

  t.hasStrict(sentTo(await app.inject(silent)), { error: 'login_required', state: 'a state', iss })
  t.hasStrict(sentTo(await visitor.get(silent)), { error: 'consent_required' })
  await decide(visitor, await visitor.get(url()), 'approve')
  t.match(sentTo(await visitor.get(silent)), { code: /^[0-9a-f]{64}$/ })
  t.hasStrict(sentTo(await visitor.get(url({ prompt: 'none', max_age: '0' }))), { error: 'login_required' })
  t.hasStrict(sentTo(await visitor.get(url({ prompt: 'none login' }))), { error: 'invalid_request' })
})

t.test('an error is shown on a page when the client or the redirect URI cannot be trusted', async t => {
  const { visitor, url } = await openAuthorization(t)

  for (const [parameters, status, text] of [
    [{ client_id: undefined }, 400, /made an invalid request[\s\S]+Missing required parameter: client_id/],
    [{ client_id: 'unknown' }, 401, /not registered, or was deleted[\s\S]+invalid_client/],
    [{ redirect_uri: undefined }, 400, /invalid_redirect_uri/],
    [{ redirect_uri: `${redirectUri}/` }, 400, /at an address that is not registered/],
    [{ state: 'a'.repeat(5000) }, 400, /A parameter is too long/]
  ] as const) {
    const { statusCode, headers, body } = await visitor.get(url(parameters))

    t.equal(statusCode, status, JSON.stringify(parameters).slice(0, 80))
    t.match(body, text)
    t.match(body, /<h1>Authorization failed/)
    t.notOk(headers.location)
  }
  t.equal((await visitor.get(`${url()}&client_id=other`)).statusCode, 400)
  for (const [query, text] of [
    ['made_up=%', /invalid_request<\/code>: The parameters are not well encoded/],
    ['made_up=%00', /invalid_request<\/code>: made_up is invalid/]
  ] as const) {
    const { statusCode, body } = await visitor.get(`${url()}&${query}`)

    t.equal(statusCode, 400, query)
    t.match(body, /<h1>Authorization failed/)
    t.match(body, text)
  }
})

t.test('a stored redirect URI that cannot work is shown on a page', async t => {
  const uris = [
    'https://client.example/\u202ecb',
    'https://b\u00fccher.example/cb',
    'http://client.example:0/cb',
    'https:client.example/cb'
  ]
  const { visitor, url } = await openAuthorization(t, { application: { owner: null, redirectUris: uris } })

  for (const uri of uris) {
    const { statusCode, body } = await visitor.get(url({ redirect_uri: uri }))

    t.equal(statusCode, 400, uri)
    t.match(body, /invalid_redirect_uri<\/code>: The redirect URI must/)
  }
})

t.test('other errors are redirected with the state', async t => {
  const { visitor, url, platform } = await openAuthorization(t)
  const s256 = { code_challenge_method: 'S256' }

  for (const [parameters, error] of [
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'web_message' }, 'invalid_request'],
    [{ scope: 'sudo' }, 'invalid_scope'],
    [{ scope: 'read_user made_up' }, 'invalid_scope'],
    [{ scope: ' ' }, 'invalid_scope'],
    [{ code_challenge: 'a'.repeat(43) }, 'invalid_code_challenge_method'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_code_challenge_method'],
    [{ code_challenge: 'a'.repeat(42), ...s256 }, 'invalid_request'],
    [s256, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://client.example/r' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported']
  ] as const) {
    const response = await visitor.get(url(parameters))

    t.equal(response.statusCode, 303)
    t.hasStrict(sentTo(response), { error, state: 'a state', iss }, JSON.stringify(parameters))
    t.match(sentTo(response).error_description, /\w/)
  }
  t.hasStrict(sentTo(await visitor.get(`${url()}&scope=api`)), { error: 'invalid_request', state: 'a state' })
  t.same(Object.keys(sentTo(await visitor.get(`${url()}&state=b`))), ['error', 'error_description', 'iss'])
  const bare = await anApplication(platform, { isConfidential: false, scopes: ['openid'] })
  t.match(sentTo(await visitor.get(authorizeUrl(bare.client_id, { scope: 'openid' }))), {
    error: 'invalid_request',
    error_description: /code_challenge/
  })
  t.match((await visitor.get(url({ scope: undefined }))).body, /Full access to the API as you/, 'the default scope is api')
  t.match((await visitor.get(`${url()}&resource=a&resource=b&made_up=1`)).body, /<h1>Authorize/, 'unknown parameters are ignored')
})

t.test('the answer keeps the query of the redirect URI, and uses the response mode', async t => {
  const withQuery = 'https://client.example/callback?tenant=1'
  const { visitor, url } = await openAuthorization(t, { application: { owner: null, redirectUris: [redirectUri, withQuery] } })

  t.match(
    (await visitor.get(url({ redirect_uri: withQuery }))).headers.location,
    /^https:\/\/client\.example\/callback\?tenant=1&code=\w+&state=a\+state/
  )
  t.match((await visitor.get(url({ response_mode: 'fragment' }))).headers.location, /^https:\/\/client\.example\/callback#code=\w+&state/)
  const { body } = await visitor.get(url({ response_mode: 'form_post', state: '">' }))
  t.match(
    body,
    /<form method="post" action="https:\/\/client\.example\/callback" data-send>\s+<input type="hidden" name="code" value="\w{64}">/
  )
  t.match(body, /name="state" value="&#34;&#62;"/)
})

t.test('a request by POST leads to the same request by GET', async t => {
  const { visitor, app } = await openAuthorization(t)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' }
  const post = (payload: string) => app.inject({ method: 'POST', url: '/oauth/authorize', headers, payload, cookies: visitor.cookies })
  const response = await post('client_id=1&state=a&state=b%26')

  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, '/oauth/authorize?client_id=1&state=a&state=b%26')
  t.equal((await post(`state=${'a'.repeat(8000)}`)).statusCode, 400)
})

function readEntities(text: string) {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
}

t.test('a second factor that took too long leads back to the request', async t => {
  const { visitor, url, platform, app } = await openAuthorization(t)
  const returnTo = url()
  const signInAgain = `/users/sign_in?return_to=${encodeURIComponent(returnTo)}`

  await visitor.enrol()
  const late = new Visitor(app)
  const { headers } = await late.signIn({ return_to: returnTo })

  t.equal(headers.location, `/users/sign_in/code?return_to=${encodeURIComponent(returnTo)}`)
  await platform.pool.query("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE awaits_code")
  t.equal((await late.get(headers.location!)).headers.location, signInAgain)
  t.equal((await late.post('/users/sign_in/code', { code: '123456', return_to: returnTo })).headers.location, signInAgain)
  t.equal((await late.post('/users/sign_out', { return_to: returnTo })).headers.location, signInAgain, 'so does another account')
  t.equal((await late.post('/users/sign_out', { return_to: '//evil.example' })).headers.location, '/users/sign_in')
  t.match((await late.get(signInAgain)).body, 'to continue to <strong>Deploy board</strong>')
})
