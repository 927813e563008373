import t from 'tap'
import { authorizeUrl, decide, openAuthorization, pkce, sentTo } from '../oauth/authorizing.ts'
import { basic, openProvider, redirectUri, s256, verifier } from '../oauth/provider.ts'
import { Visitor } from '../pages/visitor.ts'
import { rootPassword } from '../support/world.ts'
import { fields, prove } from './prove.ts'
import { grants, oauthEndpoints } from './statements/endpoints.ts'
import { oauthApplication, tokenInformation, tokenResponse } from './statements/resources.ts'

const provider = await openProvider(t)
const { app, post, register, authorize, approve, exchange, refresh } = provider
const client = await register()
const password = { grant_type: 'password', username: 'root', password: rootPassword }
const withSecret = { client_id: client.client_id, client_secret: client.client_secret }
const startedAt = Date.now() / 1000
const isRecent = (at: unknown) => typeof at === 'number' && at > startedAt - 2 && at <= Date.now() / 1000

const response = await authorize(client)
const { access_token: token } = await authorize(client, { scopes: ['read_user', 'api'] })
const information = (await app.inject(`/oauth/token/info?access_token=${token}`)).json()
const isSoon = (seconds: unknown) => typeof seconds === 'number' && seconds > 7100 && seconds <= 7200
const anyone = await register({ confidential: 'false' })
const challenge = s256(verifier)
const asPublic = { client_id: anyone.client_id }
const visitor = new Visitor(app)
await visitor.signIn()

prove(t, tokenResponse, {
  ...fields(response, {
    access_token: /^[0-9a-f]{64}$/,
    token_type: 'bearer',
    expires_in: 7200,
    created_at: isRecent
  }),
  refresh_token: async t => {
    t.match((await authorize(client)).refresh_token, /^[0-9a-f]{64}$/)
    t.notOk('refresh_token' in (await post('token', password)).body)
  }
})

prove(
  t,
  tokenInformation,
  fields(information, {
    resource_owner_id: 1,
    scope: ['read_user', 'api'],
    expires_in: isSoon,
    application: { uid: client.client_id },
    created_at: isRecent,
    scopes: ['read_user', 'api'],
    expires_in_seconds: isSoon
  })
)

prove(t, oauthApplication, {
  credentials: async t => {
    const { client_id: id, client_secret: secret } = await register()

    t.match(id, /^[0-9a-f]{64}$/)
    t.match(secret, /^gloas-[0-9a-f]{64}$/)
  },
  'redirect URI and scopes': async t => {
    const { client_id: id } = await register({ scopes: 'read_user' })

    t.hasStrict(sentTo(await visitor.get(authorizeUrl(id, { scope: 'openid' }))), { error: 'invalid_scope' })
    t.match((await visitor.get(authorizeUrl(id, { redirect_uri: 'https://elsewhere.example' }))).body, 'is not registered')
    t.match(sentTo(await visitor.get(authorizeUrl(id))).code, /^[0-9a-f]{64}$/)
  },
  registration: async t => {
    for (const page of ['/-/profile/applications', '/admin/applications']) {
      await visitor.get(page)
      const { body } = await visitor.post(page, { name: 'Board', redirect_uris: redirectUri, scopes: 'openid', is_confidential: 'on' })

      t.match(body, /[0-9a-f]{64}/, page)
      t.match(body, /gloas-[0-9a-f]{64}/, page)
    }
  }
})

prove(t, oauthEndpoints, {
  'GET /oauth/authorize': async t => {
    const { visitor, url } = await openAuthorization(t)
    const { parameters } = pkce()
    const page = await visitor.get(url({ ...parameters, scope: 'read_user openid', state: 'unpredictable' }))

    t.hasStrict(sentTo(await decide(visitor, page, 'approve')), { state: 'unpredictable' })
  },
  'POST /oauth/token': async t => t.equal((await exchange(client, await approve(client))).status, 200),
  'GET /oauth/token/info': async t => {
    const inHeader = await app.inject({ url: '/oauth/token/info', headers: { authorization: `Bearer ${token}` } })

    t.strictSame([inHeader.statusCode, inHeader.json().scope], [200, ['read_user', 'api']])
    t.equal((await app.inject('/oauth/token/info?access_token=no')).statusCode, 401)
  },
  'POST /oauth/revoke': async t => {
    const { access_token: other } = await authorize(client)
    const { status, body } = await post('revoke', { ...withSecret, token: other })

    t.strictSame([status, body], [200, {}])
    t.equal(await provider.statusWith(other), 401)
  },
  '/oauth/userinfo': async t => {
    const { access_token: openid } = await authorize(client, { scopes: ['openid', 'profile'] })

    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.inject({ method, url: '/oauth/userinfo', headers: { authorization: `Bearer ${openid}` } })

      t.strictSame([answer.statusCode, answer.json().sub, answer.json().nickname], [200, '1', 'root'], method)
    }
  }
})

prove(t, grants, {
  'authorization_code (PKCE)': async t => {
    const code = await approve(anyone, { challenge })

    t.equal((await exchange(asPublic, code)).status, 400, 'without the verifier')
    t.equal((await exchange(asPublic, await approve(anyone, { challenge }), { code_verifier: verifier })).status, 200)
  },
  'authorization_code (standard)': async t => {
    t.equal((await exchange({ client_id: client.client_id }, await approve(client))).status, 401, 'without the secret')
    t.equal((await exchange(client, await approve(client))).status, 200)
  },
  'refresh_token (PKCE)': async t => {
    const { body } = await exchange(asPublic, await approve(anyone, { challenge }), { code_verifier: verifier })

    t.equal((await refresh(asPublic, body.refresh_token, { redirect_uri: redirectUri, code_verifier: verifier })).status, 200)
  },
  'refresh_token (standard)': async t => {
    const { refresh_token: first } = await authorize(client)

    t.equal((await refresh(client, first, { redirect_uri: redirectUri })).status, 200)
  },
  password: async t => {
    const plain = await post('token', password)

    t.hasStrict([plain.status, plain.body], [200, { scope: 'api' }])
    t.equal((await post('token', password, basic(client))).status, 200)
    t.equal((await post('token', { ...password, password: 'wrong' })).status, 400)
  },
  redirect_uri: async t => {
    const other = await exchange(client, await approve(client), { redirect_uri: 'https://client.example/other' })

    t.hasStrict(other, { status: 400, body: { error: 'invalid_grant' } })
  },
  'other grants': async t => {
    for (const grant_type of ['urn:ietf:params:oauth:grant-type:device_code', 'implicit'])
      t.hasStrict((await post('token', { ...withSecret, grant_type })).body, { error: 'unsupported_grant_type' })
    const answer = await visitor.get(authorizeUrl(client.client_id, { response_type: 'token' }))

    t.hasStrict(sentTo(answer), { error: 'unsupported_response_type' })
  },
  'password with two-factor authentication': async t => {
    const { app, post } = await openProvider(t)
    const root = new Visitor(app)

    await root.signIn()
    t.equal((await post('token', password)).status, 200)
    await root.enrol()
    t.hasStrict(await post('token', password), { status: 400, body: { error: 'invalid_grant' } })
  },
  'CORS preflight': async t => {
    for (const path of ['revoke', 'token', 'userinfo']) {
      const headers = { origin: 'https://spa.example', 'access-control-request-method': 'POST' }
      const answer = await app.inject({ method: 'OPTIONS', url: `/oauth/${path}`, headers })

      t.strictSame([answer.statusCode, answer.headers['access-control-allow-origin']], [204, '*'], path)
      t.match(answer.headers['access-control-allow-headers'], /authorization/i)
      t.notMatch(answer.headers['access-control-allow-headers'], /x-requested-with/i)
    }
  }
})
