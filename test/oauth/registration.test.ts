import { registerClient } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { hashSecret } from '#identity/secrets.ts'
import { Application } from '#oauth/applications/application.ts'
import { deleteUnusedClients } from '#oauth/applications/delete-unused-clients.ts'
import { Grant } from '#oauth/grants/grant.ts'
import { OAuthToken } from '#oauth/tokens/oauth-token.ts'
import { listen } from '../support/listen.ts'
import { openApp, type WorldOptions } from '../support/world.ts'

const env = { OAUTH_DYNAMIC_REGISTRATION: 'true' }
const redirectUri = 'http://127.0.0.1:33418/callback'

async function openProvider(t: Parameters<typeof openApp>[0], options: WorldOptions = { env }) {
  const world = await openApp(t, options)
  const register = (payload: object) => world.app.inject({ method: 'POST', url: '/oauth/register', payload })

  return { ...world, register }
}

t.test('by default, applications cannot register themselves', async t => {
  const { app, register } = await openProvider(t, {})

  t.equal((await register({ redirect_uris: [redirectUri] })).statusCode, 404)
  t.equal((await app.inject('/.well-known/oauth-authorization-server')).json().registration_endpoint, undefined)
})

t.test('an application registers itself as a public one', async t => {
  const { platform, register } = await openProvider(t)
  const response = await register({
    client_name: 'Agent',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'read_api sudo api',
    logo_uri: 'https://agent.example/logo.png'
  })
  const { client_id: clientId, client_id_issued_at: issuedAt, ...rest } = response.json()
  const stored = await platform.fork().findOneOrFail(Application, { uid: clientId })

  t.equal(response.statusCode, 201)
  t.equal(response.headers['cache-control'], 'no-store')
  t.same(rest, {
    client_name: 'Agent',
    redirect_uris: [redirectUri],
    scope: 'read_api api',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  })
  t.match(clientId, /^[0-9a-f]{64}$/)
  t.equal(issuedAt, Math.floor(stored.createdAt.getTime() / 1000))
  t.equal(stored.isDynamic, true)
  t.equal(stored.isTrusted(), false, 'users are asked for consent')
  t.equal(stored.secretHash, null)
})

t.test('the MCP client registers itself', async t => {
  const { app, config } = await openProvider(t)

  await listen(app)
  config.baseUrl = app.listeningOrigin
  const metadata = (await app.inject('/.well-known/oauth-authorization-server')).json()
  const client = await registerClient(config.baseUrl, { metadata, clientMetadata: { client_name: 'Agent', redirect_uris: [redirectUri] } })

  t.equal(client.token_endpoint_auth_method, 'none')
  t.equal(client.client_secret, undefined)
  t.same(client.redirect_uris, [redirectUri])
})

t.test('only HTTPS and loopback redirect URIs can be registered', async t => {
  const { register } = await openProvider(t)
  const refused = [
    'http://agent.example/callback',
    'http://127.0.0.1.agent.example/callback',
    'http://0.0.0.0/callback',
    'cursor://callback',
    'com.example.agent:/callback',
    'javascript:alert(1)',
    'https://user:password@agent.example/',
    'https://agent.example/#fragment',
    'https://agent.example/a b',
    '/callback',
    'https://agent.example/a\u0000b',
    'https://agent.example/\ud800',
    'https://agent.example/\u007f',
    'https://agent.example/\u202ecod',
    'https://b\u00fccher.example/',
    'https:agent.example/callback',
    'http://127.0.0.1:99999/',
    'http://127.0.0.1:0/',
    ''
  ]

  for (const uri of refused) {
    const response = await register({ redirect_uris: ['https://agent.example/', uri] })

    t.equal(response.statusCode, 400, uri)
    t.equal(response.json().error, 'invalid_redirect_uri', uri)
  }
  for (const uri of ['https://agent.example/callback', 'http://localhost:8080/callback', 'http://127.0.0.1/', 'http://[::1]:5/cb']) {
    t.equal((await register({ redirect_uris: [uri] })).statusCode, 201, uri)
  }
})

t.test('metadata that does not fit is invalid_client_metadata', async t => {
  const { register } = await openProvider(t)
  const refused: object[] = [
    {},
    { redirect_uris: Array.from({ length: 11 }, (_, n) => `${redirectUri}/${n}`) },
    { redirect_uris: [redirectUri], client_name: 'a'.repeat(256) },
    { redirect_uris: [redirectUri], grant_types: ['client_credentials'] },
    { redirect_uris: [redirectUri], response_types: ['token'] },
    { redirect_uris: [redirectUri], scope: 'sudo admin_mode' }
  ]

  for (const metadata of refused) {
    const response = await register(metadata)

    t.equal(response.statusCode, 400, JSON.stringify(metadata).slice(0, 100))
    t.equal(response.json().error, 'invalid_client_metadata', JSON.stringify(metadata).slice(0, 100))
  }
  t.equal((await register({ redirect_uris: [] })).json().error, 'invalid_redirect_uri')
})

t.test('text that cannot be stored is invalid_client_metadata', async t => {
  const { register } = await openProvider(t)

  for (const text of ['a\u0000b', '\ud800']) {
    for (const member of ['client_name', 'scope']) {
      const response = await register({ redirect_uris: [redirectUri], [member]: text })

      t.equal(response.statusCode, 400)
      t.same(response.json(), { error: 'invalid_client_metadata', error_description: `${member} is invalid.` })
    }
  }
})

t.test('the description of an error names the member', async t => {
  const { register } = await openProvider(t)
  const uris = Array.from({ length: 21 }, (_, n) => `${redirectUri}/${n}`)

  for (const [metadata, description] of [
    [{ redirect_uris: [redirectUri], client_name: 'a'.repeat(256) }, 'client_name is too long (maximum is 255 characters).'],
    [[], 'body is invalid.'],
    [{ redirect_uris: uris }, 'redirect_uris is too long (maximum is 10 URIs).'],
    [{}, 'redirect_uris is missing.'],
    [{ redirect_uris: ['http://127.0.0.1:99999/'] }, 'A redirect URI must have a port from 1 to 65535.'],
    [{ redirect_uris: [`https://agent.example/${'a'.repeat(2000)}`] }, 'A redirect URI is too long (maximum is 2000 characters).']
  ] as const) {
    t.equal((await register(metadata)).json().error_description, description)
  }
})

t.test('an address registers a limited number of applications a minute', async t => {
  const { register } = await openProvider(t, { env: { ...env, RATE_LIMIT_SIGN_IN: '3' } })
  const statuses: number[] = []

  for (let n = 0; n < 5; n++) statuses.push((await register({ redirect_uris: [redirectUri] })).statusCode)
  t.same(statuses, [201, 201, 201, 429, 429])
})

t.test('at most 10,000 applications can register themselves', async t => {
  const { platform, register } = await openProvider(t)

  await platform.pool.query(
    `INSERT INTO oauth_applications (uid, name, redirect_uris, scopes, is_confidential, is_dynamic)
     SELECT 'client ' || n, 'Agent', '{}', '{api}', false, true FROM generate_series(1, 9999) n`
  )
  t.equal((await register({ redirect_uris: [redirectUri] })).statusCode, 201)
  const refused = await register({ redirect_uris: [redirectUri] })

  t.equal(refused.statusCode, 503)
  t.equal(refused.json().error, 'temporarily_unavailable')
})

t.test('applications that no user authorizes are deleted after a day, used ones 90 days after their last token', async t => {
  const { platform, register, remaining, deleteAfter } = await withApplications(t)

  await deleteAfter(23 / 24)
  t.same(await remaining(), ['unused', 'revoked', 'used', 'by hand'])
  await deleteAfter(25 / 24)
  t.same(await remaining(), ['used', 'by hand'])
  await deleteAfter(89)
  t.same(await remaining(), ['used', 'by hand'])
  await deleteAfter(91)
  t.same(await remaining(), ['by hand'])
  t.equal((await platform.pool.query('SELECT FROM oauth_grants')).rowCount, 0, 'its refresh token ends with it')
  await deleteAfter(91)
  t.equal((await register({ redirect_uris: [redirectUri] })).statusCode, 201)
})

t.test('an application is not deleted while a user authorizes it, and no request waits', async t => {
  const { platform, remaining, deleteAfter } = await withApplications(t)
  const exchange = await platform.pool.connect()

  await exchange.query("BEGIN; SELECT FROM oauth_applications WHERE name = 'unused' FOR KEY SHARE")
  await deleteAfter(2)
  t.same(await remaining(), ['unused', 'used', 'by hand'])
  await exchange.query('COMMIT')
  exchange.release()
})

/** Applications that registered themselves, and one that did not. */
async function withApplications(t: Test) {
  const { platform, register } = await openProvider(t)
  const em = platform.fork()
  const now = Date.now()

  for (const name of ['unused', 'revoked', 'used']) {
    const { client_id: uid } = (await register({ client_name: name, redirect_uris: [redirectUri] })).json()
    const application = await em.findOneOrFail(Application, { uid })

    if (name === 'unused') continue
    const revokedAt = name === 'revoked' ? new Date() : null
    const grant = em.create(Grant, { application, user: 1, type: 'authorization_code', scopes: ['api'], revokedAt })

    em.create(OAuthToken, {
      grant,
      accessHash: hashSecret(name),
      refreshHash: hashSecret(`r-${name}`),
      scopes: ['api'],
      expiresAt: new Date()
    })
  }
  em.create(Application, { uid: 'f'.repeat(64), name: 'by hand', redirectUris: [], scopes: ['api'], isConfidential: true, owner: 1 })
  await em.flush()

  return {
    platform,
    register,
    remaining: async () => (await platform.fork().find(Application, {}, { orderBy: { id: 'asc' } })).map(({ name }) => name),
    deleteAfter: (days: number) => deleteUnusedClients(platform.fork(), new Date(now + days * 24 * 3600 * 1000))
  }
}
