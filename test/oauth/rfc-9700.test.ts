import t from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { openApp } from '../support/world.ts'
import { anApplication, authorizeUrl, decide, openAuthorization, pkce, redirectUri, sentTo } from './authorizing.ts'
import { openProvider } from './provider.ts'

// The requirements of RFC 9700 (Best Current Practice for OAuth 2.0 Security) on an authorization server, by section.
// §2.4 forbids the password grant, which clients of GitLab use: it is offered, except to users with two-factor authentication.

t.test('§2.1, §4.1.3 redirect URIs are compared exactly, except for the port of a loopback address', async t => {
  const loopback = 'http://127.0.0.1/cb'
  const { visitor, url } = await openAuthorization(t, {
    application: { redirectUris: [redirectUri, loopback, 'http://[::1]/cb', 'http://localhost:3000/cb'] }
  })
  const statusOf = async (uri: string) => (await visitor.get(url({ redirect_uri: uri }))).statusCode

  for (const uri of [
    redirectUri,
    loopback,
    'http://127.0.0.1:51004/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]:51004/cb',
    'http://localhost:3000/cb'
  ]) {
    t.equal(await statusOf(uri), 200, uri)
  }
  for (const uri of [
    'https://client.example/callback/',
    'https://client.example/callback?more=1',
    'https://client.example/callback#',
    'https://client.example/callback/../callback',
    'https://CLIENT.example/callback',
    'https://client.example:443/callback',
    'https://client.example.evil.example/callback',
    'https://client.example@evil.example/callback',
    'http://client.example/callback',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1:80.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:1/cb/more',
    'http://127.0.0.1:999999/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.2/cb',
    'http://localhost:3001/cb',
    'https://127.0.0.1/cb',
    '//evil.example/callback',
    'javascript:alert(1)'
  ]) {
    const response = await visitor.get(url({ redirect_uri: uri }))

    t.equal(response.statusCode, 400, uri)
    t.notOk(response.headers.location)
  }
})

t.test('§2.1.1 public clients must use PKCE, and the verifier is enforced', async t => {
  const { visitor, url, client, exchange } = await openAuthorization(t, { application: { isConfidential: false } })
  const { verifier, parameters } = pkce()
  const codeFor = async () => {
    const page = await visitor.get(url(parameters))

    return sentTo(page.statusCode === 200 ? await decide(visitor, page, 'approve') : page).code!
  }

  t.equal(sentTo(await visitor.get(url())).error, 'invalid_request')
  t.equal((await exchange(client, await codeFor())).body.error, 'invalid_request')
  t.equal((await exchange(client, await codeFor(), { code_verifier: pkce().verifier })).body.error, 'invalid_grant')
  t.equal((await exchange(client, await codeFor(), { code_verifier: verifier })).status, 200)
})

t.test('§2.1.1, §4.7.1 clients can detect that PKCE with S256 is supported', async t => {
  const { app } = await openApp(t)

  t.same((await app.inject('/.well-known/oauth-authorization-server')).json().code_challenge_methods_supported, ['S256'])
})

t.test('§2.1.1, §4.8.2 PKCE downgrade: a verifier without a challenge, and the method plain, are refused', async t => {
  const { visitor, url, client, exchange } = await openAuthorization(t)
  const { verifier } = pkce()
  const { code } = sentTo(await decide(visitor, await visitor.get(url()), 'approve'))
  const plain = await visitor.get(url({ code_challenge: verifier, code_challenge_method: 'plain' }))

  t.equal((await exchange(client, code!, { code_verifier: verifier })).body.error, 'invalid_grant')
  t.equal(sentTo(plain).error, 'invalid_code_challenge_method')
})

t.test('§2.1.2, §4.3.2 no answer of the authorization endpoint carries a token', async t => {
  const { visitor, url } = await openAuthorization(t)

  for (const type of ['token', 'id_token', 'code token', 'code id_token', 'id_token token']) {
    t.equal(sentTo(await visitor.get(url({ response_type: type }))).error, 'unsupported_response_type', type)
  }
})

t.test('§2.2.2, §4.14.2 refresh tokens of public clients rotate, and a replay ends the family', async t => {
  const { visitor, url, client, exchange, refresh, statusWith } = await openAuthorization(t, { application: { isConfidential: false } })
  const { verifier, parameters } = pkce()
  const { code } = sentTo(await decide(visitor, await visitor.get(url(parameters)), 'approve'))
  const { body: first } = await exchange(client, code!, { code_verifier: verifier })
  const { body: second } = await refresh(client, first.refresh_token)

  t.not(second.refresh_token, first.refresh_token)
  t.equal(await statusWith(first.access_token), 401)
  t.equal((await refresh(client, first.refresh_token)).body.error, 'invalid_grant')
  t.equal(await statusWith(second.access_token), 401)
  t.equal((await refresh(client, second.refresh_token)).body.error, 'invalid_grant')
})

t.test('§2.3, §4.14.2 tokens are bound to the scopes that the user consented to', async t => {
  const { visitor, url, client, exchange, refresh, statusWith } = await openAuthorization(t)
  const { code } = sentTo(await decide(visitor, await visitor.get(url({ scope: 'read_user' })), 'approve'))
  const { body: tokens } = await exchange(client, code!, { scope: 'api' })

  t.equal(tokens.scope, 'read_user')
  t.equal(await statusWith(tokens.access_token, '/projects?owned=true'), 403)
  t.equal((await refresh(client, tokens.refresh_token, { scope: 'read_user api' })).body.error, 'invalid_scope')
})

t.test('§2.6, §4.15 clients choose neither their client_id nor a subject', async t => {
  const { register, call, post } = await openProvider(t)
  const { body: chosen } = await call('POST', '/applications', {
    name: 'root',
    redirect_uri: redirectUri,
    scopes: 'api',
    uid: '1',
    client_id: '1',
    application_id: '1'
  })
  const { client_id, client_secret } = await register()
  const { body: own } = await post('token', { grant_type: 'client_credentials', client_id, client_secret, scope: 'read_user', sub: '1' })
  const { body: introspected } = await post('introspect', { token: own.access_token, client_id, client_secret })

  t.match(chosen.application_id, /^[0-9a-f]{64}$/)
  t.equal(introspected.active, true)
  t.notOk('sub' in introspected)
})

t.test('§2.6 redirect URIs need https, except on loopback addresses', async t => {
  const { call } = await openApp(t, { env: { BASE_URL: 'https://tocsin.test' } })
  const statusOf = async (uri: string) => (await call('POST', '/applications', { name: 'Client', redirect_uri: uri, scopes: 'api' })).status

  for (const uri of [redirectUri, 'http://127.0.0.1/cb', 'http://[::1]:8080/cb', 'com.example.app:/cb'])
    t.equal(await statusOf(uri), 201, uri)
  for (const uri of ['http://client.example/cb', 'http://127.0.0.1.evil.example/cb', 'javascript:alert(1)', 'data:text/html,1', '/cb']) {
    t.equal(await statusOf(uri), 400, uri)
  }
})

t.test('§2.6 the authorization endpoint does not support CORS', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  const headers = { origin: 'https://client.example', 'access-control-request-method': 'GET' }
  const answers = [
    await app.inject({ url: url(), headers, cookies: visitor.cookies }),
    await app.inject({ url: url({ response_type: 'token' }), headers, cookies: visitor.cookies }),
    await app.inject({ url: '/oauth/authorize', headers }),
    await app.inject({ method: 'POST', url: '/oauth/authorize/decision', headers })
  ]

  for (const { headers } of answers) t.notOk(headers['access-control-allow-origin'])
})

t.test('§4.2.4 no page on the way sends a referrer to another site, or loads from one', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  const consent = await visitor.get(url())
  const pages = [
    consent,
    await app.inject(url()),
    await visitor.get('/oauth/authorize'),
    await visitor.get(url({ response_mode: 'form_post' }))
  ]

  for (const { headers, body } of pages) {
    t.equal(headers['referrer-policy'], 'same-origin')
    t.match(
      headers['content-security-policy'],
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'/
    )
    t.same([...body.matchAll(/(?:src|href)="(?!\/)[^"#]/g)], [], 'no address of another host')
  }
  t.equal((await decide(visitor, consent, 'approve')).headers['referrer-policy'], 'no-referrer')
})

t.test('§4.2.4, §4.3.1 a code works once, for ten minutes, and its answer is not stored by browsers', async t => {
  const { visitor, url, client, exchange, statusWith, platform } = await openAuthorization(t)
  const authorize = () => visitor.get(url())
  const approved = await decide(visitor, await authorize(), 'approve')
  const first = sentTo(approved).code!
  const { body: tokens } = await exchange(client, first)

  t.equal(approved.headers['cache-control'], 'no-store')
  t.equal((await exchange(client, first)).body.error, 'invalid_grant')
  t.equal(await statusWith(tokens.access_token), 401, 'and its tokens are revoked')
  const late = sentTo(await authorize()).code!
  await platform.pool.query("UPDATE oauth_codes SET expires_at = expires_at - interval '10 minutes'")
  t.equal((await exchange(client, late)).body.error, 'invalid_grant')
})

t.test('§4.4.2 mix-up: the answer names the issuer, also when it is an error, and the metadata says so', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  const { issuer, authorization_response_iss_parameter_supported: isSupported } = (
    await app.inject('/.well-known/oauth-authorization-server')
  ).json()

  t.equal(isSupported, true)
  t.equal(sentTo(await decide(visitor, await visitor.get(url()), 'deny')).iss, issuer)
  t.equal(sentTo(await decide(visitor, await visitor.get(url()), 'approve')).iss, issuer)
  t.equal(sentTo(await visitor.get(url({ response_type: 'token' }))).iss, issuer)
})

t.test('§4.5 code injection: a code is bound to its client, redirect URI and challenge', async t => {
  const other = 'https://client.example/other'
  const { visitor, url, client, exchange, platform } = await openAuthorization(t, { application: { redirectUris: [redirectUri, other] } })
  const thief = await anApplication(platform)
  const { verifier, parameters } = pkce()
  const { code = '' } = sentTo(await decide(visitor, await visitor.get(url(parameters)), 'approve'))

  for (const [from, form] of [
    [thief, { code_verifier: verifier }],
    [client, { code_verifier: verifier, redirect_uri: other }],
    [client, { code_verifier: pkce().verifier }]
  ] as const) {
    t.equal((await exchange(from, code, form)).body.error, 'invalid_grant')
  }
  t.equal((await exchange(client, code)).body.error, 'invalid_request', 'without a verifier')
  t.equal((await exchange(client, code, { code_verifier: verifier })).status, 200, 'none of this used the code up')
})

t.test('§4.7 CSRF: state and nonce come back unchanged, and another site cannot approve', async t => {
  const { app, visitor, url, client, exchange, platform } = await openAuthorization(t)
  const state = `"><script>%00&=+ ünïcode`
  const consent = await visitor.get(url({ state, nonce: 'n-1', scope: 'openid' }))
  const [, action] = /action="([^"]*decision[^"]*)"/.exec(consent.body)!
  const forge = (headers: Record<string, string>, payload: string) =>
    app.inject({
      method: 'POST',
      url: action!.replaceAll('&#38;', '&'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      cookies: visitor.cookies,
      payload
    })

  for (const answer of [
    await forge({ 'sec-fetch-site': 'cross-site' }, 'decision=approve'),
    await forge({ 'sec-fetch-site': 'same-origin' }, 'decision=approve'),
    await forge({ 'sec-fetch-site': 'same-origin' }, 'decision=approve&csrf_token=x'),
    await forge({ origin: 'https://evil.example' }, `decision=approve&csrf_token=${visitor.token}`)
  ]) {
    t.equal(answer.statusCode, 403)
  }
  t.equal((await platform.pool.query('SELECT FROM oauth_codes')).rowCount, 0)
  const sent = sentTo(await decide(visitor, consent, 'approve'))
  const { body } = await exchange(client, sent.code!)
  t.equal(sent.state, state)
  t.equal(JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString()).nonce, 'n-1')
})

t.test('§4.9.2 a copy of the database holds no code, token or secret', async t => {
  const { visitor, url, client, exchange, platform } = await openAuthorization(t)
  const { code = '' } = sentTo(await decide(visitor, await visitor.get(url()), 'approve'))
  const { body } = await exchange(client, code)
  const tables = ['oauth_applications', 'oauth_codes', 'oauth_grants', 'oauth_tokens', 'audit_events']
  const dump = JSON.stringify(await Promise.all(tables.map(async name => (await platform.pool.query(`SELECT * FROM ${name}`)).rows)))

  for (const secret of [code, body.access_token, body.refresh_token, client.client_secret]) t.notOk(dump.includes(secret))
})

t.test('§4.11.2 open redirection: only a signed-in user is redirected, unless a valid request asks for no pages', async t => {
  const { app, url, platform } = await openAuthorization(t)
  const trusted = await anApplication(platform, { owner: null })
  const stranger = new Visitor(app)

  const invalid = [{ scope: 'made_up' }, { response_type: 'token' }, { prompt: 'none', scope: 'made_up' }]

  for (const address of [...invalid.map(url), authorizeUrl(trusted.client_id)]) {
    const response = await stranger.get(address)

    t.equal(response.statusCode, 200, address)
    t.match(response.body, /<h1>Sign in/)
  }
  t.equal(sentTo(await stranger.get(url({ prompt: 'none' }))).error, 'login_required')
  for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', '/oauth/authorize\r\nx: y']) {
    const signedIn = await new Visitor(app).signIn({ return_to: path })

    t.equal(signedIn.headers.location, '/', path)
  }
})

t.test('§4.12 every redirect is a 303, so that no browser sends credentials on', async t => {
  const { visitor, url, app } = await openAuthorization(t)
  const newcomer = new Visitor(app)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  t.equal((await decide(visitor, await visitor.get(url()), 'approve')).statusCode, 303)
  t.equal((await visitor.get(url())).statusCode, 303)
  t.equal((await visitor.get(url({ response_type: 'token' }))).statusCode, 303)
  t.equal((await app.inject({ method: 'POST', url: '/oauth/authorize', headers: form, payload: 'client_id=1' })).statusCode, 303)
  t.equal((await newcomer.signIn({ return_to: url() })).statusCode, 303)
})

t.test('§4.14.2 a refresh token is bound to its client', async t => {
  const { visitor, url, client, exchange, refresh, platform } = await openAuthorization(t)
  const thief = await anApplication(platform)
  const { code = '' } = sentTo(await decide(visitor, await visitor.get(url()), 'approve'))
  const { body } = await exchange(client, code)

  t.equal((await refresh(thief, body.refresh_token)).body.error, 'invalid_grant')
  t.equal((await refresh({ client_id: client.client_id }, body.refresh_token)).body.error, 'invalid_client')
  t.equal((await refresh(client, body.refresh_token)).status, 200)
})

t.test('§4.16 clickjacking: no page of the flow can be framed', async t => {
  const { app, visitor, url } = await openAuthorization(t)
  const pages = [
    await visitor.get(url()),
    await app.inject(url()),
    await visitor.get(url({ prompt: 'login' })),
    await visitor.get('/oauth/authorize'),
    await visitor.get('/-/profile/applications')
  ]

  for (const { headers } of pages) t.match(headers['content-security-policy'], /frame-ancestors 'none'/)
})

t.test('§4.17 no answer is sent with postMessage', async t => {
  const { visitor, url } = await openAuthorization(t)

  t.equal(sentTo(await visitor.get(url({ response_mode: 'web_message' }))).error, 'invalid_request')
})
