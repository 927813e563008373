import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { basic, type Client, credentials, type Form, openProvider, redirectUri, s256, verifier } from './provider.ts'

const texts = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.'
}
const bearer = 'Bearer realm="Tocsin", error="invalid_client", error_description="'
const missing = (name: string) => ({ error: 'invalid_request', error_description: `Missing required parameter: ${name}.` })
const problem = (error: keyof typeof texts) => ({ error, error_description: texts[error] })
const refusedClient = { status: 401, body: problem('invalid_client'), challenge: `${bearer}${texts.invalid_client}"` }

interface Row {
  form: Form
  headers?: Record<string, string>
  status?: number
  body: { error: string; error_description: string }
  challenge?: string
}

t.test('every error of the token endpoint has its status, body and challenge', async t => {
  const { register, approve, authorize, post, call, platform } = await openProvider(t)
  const client = await register()
  const other = await register()
  const open = await register({ confidential: 'false' })
  const { refresh_token: refreshToken } = await authorize(client, { scopes: ['read_user'] })
  const expired = await approve(client, { at: new Date(Date.now() - 600_000) })

  await aPerson(call, 'ann', { password: 'correct horse battery', force_random_password: false })
  await aPerson(call, 'ben', { password: 'correct horse battery', force_random_password: false })
  await aPerson(call, 'cleo', { password: 'correct horse battery', force_random_password: false })
  await platform.pool.query("UPDATE users SET totp_enabled_at = now() WHERE username = 'ann'")
  await platform.pool.query("UPDATE users SET must_change_password = true WHERE username = 'ben'")
  const blocked = await authorize(client, { username: 'cleo' })
  const blockedCode = await approve(client, { username: 'cleo' })
  await platform.pool.query("UPDATE users SET state = 'blocked' WHERE username = 'cleo'")

  const code = async (of: Client, more: Form = {}) => ({
    grant_type: 'authorization_code',
    code: await approve(of),
    redirect_uri: redirectUri,
    ...credentials(of),
    ...more
  })
  const challenged = await approve(client, { challenge: s256(verifier) })
  const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentials(client) }
  const password = { grant_type: 'password', username: 'ann', password: 'correct horse battery' }

  const rows: Record<string, Row> = {
    'no grant type': { form: {}, body: missing('grant_type') },
    'an unknown grant type': { form: { grant_type: 'device_code' }, body: problem('unsupported_grant_type') },
    'no client': { form: { grant_type: 'authorization_code' }, ...refusedClient },
    'an unknown client': { form: await code(client, { client_id: 'f'.repeat(64) }), ...refusedClient },
    'a client id of another form': { form: await code(client, { client_id: 'client' }), ...refusedClient },
    'a wrong secret': { form: await code(client, { client_secret: 'wrong' }), ...refusedClient },
    'no secret': { form: { grant_type: 'client_credentials', client_id: client.client_id }, ...refusedClient },
    'a secret of another client': { form: await code(client, { client_secret: other.client_secret }), ...refusedClient },
    'a secret of a public client': { form: await code(open, { client_secret: 'any' }), ...refusedClient },
    'a wrong secret in the header': {
      form: { grant_type: 'client_credentials' },
      headers: basic({ ...client, client_secret: 'wrong' }),
      ...refusedClient,
      challenge: 'Basic realm="Tocsin"'
    },
    'a header without a colon': {
      form: { grant_type: 'client_credentials' },
      headers: { authorization: 'Basic YQ==' },
      ...refusedClient,
      challenge: 'Basic realm="Tocsin"'
    },
    'a header that is badly encoded': {
      form: { grant_type: 'client_credentials' },
      headers: { authorization: `Basic ${btoa('%:%')}` },
      ...refusedClient,
      challenge: 'Basic realm="Tocsin"'
    },
    'credentials in the header and in the body': {
      form: { grant_type: 'client_credentials', client_secret: client.client_secret },
      headers: basic(client),
      body: { error: 'invalid_request', error_description: 'The client is authenticated more than once.' }
    },
    'two clients': {
      form: { grant_type: 'client_credentials', client_id: other.client_id },
      headers: basic(client),
      body: { error: 'invalid_request', error_description: 'The client is authenticated more than once.' }
    },

    'no code': { form: await code(client, { code: '' }), body: missing('code') },
    'no redirect URI': { form: await code(client, { redirect_uri: '' }), body: missing('redirect_uri') },
    'an unknown code': { form: await code(client, { code: 'f'.repeat(64) }), body: problem('invalid_grant') },
    'a code of another client': { form: { ...(await code(client)), ...credentials(other) }, body: problem('invalid_grant') },
    'a code of another redirect URI': {
      form: await code(client, { redirect_uri: `${redirectUri}/` }),
      body: problem('invalid_grant')
    },
    'an expired code': { form: await code(client, { code: expired }), body: problem('invalid_grant') },
    'a code of a blocked user': { form: await code(client, { code: blockedCode }), body: problem('invalid_grant') },
    'no verifier': { form: await code(client, { code: challenged }), body: missing('code_verifier') },
    'a wrong verifier': {
      form: await code(client, { code: challenged, code_verifier: verifier.replace('a', 'b') }),
      body: problem('invalid_grant')
    },
    'a short verifier': { form: await code(client, { code: challenged, code_verifier: 'short' }), body: problem('invalid_grant') },
    'a verifier without a challenge': { form: await code(client, { code_verifier: verifier }), body: problem('invalid_grant') },
    'a public client without a challenge': { form: await code(open), body: problem('invalid_grant') },

    'no refresh token': { form: { ...refresh, refresh_token: '' }, body: missing('refresh_token') },
    'an unknown refresh token': { form: { ...refresh, refresh_token: 'f'.repeat(64) }, body: problem('invalid_grant') },
    'a refresh token of another client': { form: { ...refresh, ...credentials(other) }, body: problem('invalid_grant') },
    'a refresh for another redirect URI': { form: { ...refresh, redirect_uri: 'https://other.example' }, body: problem('invalid_grant') },
    'a refresh for more scopes': { form: { ...refresh, scope: 'read_user api' }, body: problem('invalid_scope') },
    'a refresh for no scopes': { form: { ...refresh, scope: ' ' }, body: problem('invalid_scope') },
    'a refresh for a blocked user': { form: { ...refresh, refresh_token: blocked.refresh_token }, body: problem('invalid_grant') },

    'no username': { form: { ...password, username: '' }, body: missing('username') },
    'no password': { form: { ...password, password: '' }, body: missing('password') },
    'a wrong password': { form: { ...password, password: 'wrong' }, body: problem('invalid_grant') },
    'an unknown user': { form: { ...password, username: 'zoe' }, body: problem('invalid_grant') },
    'a user with two-factor authentication': { form: password, body: problem('invalid_grant') },
    'a user with a one-time password': { form: { ...password, username: 'ben' }, body: problem('invalid_grant') },
    'a blocked user': { form: { ...password, username: 'cleo' }, body: problem('invalid_grant') },
    'an unknown scope': { form: { ...password, scope: 'everything' }, body: problem('invalid_scope') },
    'a scope that the application lacks': { form: { ...password, ...credentials(client), scope: 'sudo' }, body: problem('invalid_scope') },
    'a wrong secret with a password': { form: { ...password, ...credentials(client), client_secret: 'wrong' }, ...refusedClient },

    'client credentials of a public client': {
      form: { grant_type: 'client_credentials', ...credentials(open) },
      status: 401,
      body: problem('unauthorized_client'),
      challenge: `Bearer realm="Tocsin", error="unauthorized_client", error_description="${texts.unauthorized_client}"`
    },
    'client credentials for a scope that the application lacks': {
      form: { grant_type: 'client_credentials', scope: 'sudo', ...credentials(client) },
      body: problem('invalid_scope')
    }
  }

  for (const [name, { form, headers, status = 400, body, challenge }] of Object.entries(rows)) {
    const response = await post('token', form, headers)

    t.same([response.status, response.body], [status, body], name)
    t.equal(response.headers['www-authenticate'], challenge, name)
    t.equal(response.headers['cache-control'], 'no-store', name)
  }
  const { rows: tokens } = await platform.pool.query('SELECT count(*) AS count FROM oauth_tokens')

  t.equal(tokens[0].count, 2, 'no refusal issued tokens')
  t.equal((await post('token', refresh)).status, 200, 'no refusal used the refresh token')
})

t.test('refusals are audit events without secrets; malformed requests are not', async t => {
  const { register, post, auditEvents } = await openProvider(t)
  const client = await register()

  await post('token', { grant_type: 'client_credentials', ...credentials(client), client_secret: 'wrong' })
  await post('token', { grant_type: 'refresh_token', ...credentials(client), refresh_token: 'f'.repeat(64) })
  await post('token', { grant_type: 'refresh_token', ...credentials(client) })
  await post('token', { grant_type: 'nonsense' })
  await post('token', { grant_type: 'authorization_code', client_id: 'x'.repeat(4000) })
  const events = await auditEvents('oauth_grant_refused')

  t.same(
    events.map(({ details: { error, grant_type, client_id } }: { details: Form }) => [error, grant_type, client_id]),
    [
      ['invalid_client', 'authorization_code', undefined],
      ['invalid_grant', 'refresh_token', client.client_id],
      ['invalid_client', 'client_credentials', client.client_id]
    ]
  )
  t.notMatch(JSON.stringify(events), /wrong|ffff/)
})
