import * as oidc from 'openid-client'
import t, { type Test } from 'tap'
import { noBrowser } from '../../support/browser.ts'
import { anApplication } from '../authorizing.ts'
import { authorizeInBrowser, authorizeWithForms, openIssuer, waitForCallback } from './issuer.ts'

async function openRelyingParty(t: Test, { isConfidential = true } = {}) {
  const world = await openIssuer(t)
  const { redirectUri, received } = await waitForCallback(t)
  const { client_id: uid, client_secret: secret } = await anApplication(world.platform, { redirectUris: [redirectUri], isConfidential })
  const client = await oidc.discovery(
    new URL(world.issuer),
    uid,
    undefined,
    isConfidential ? oidc.ClientSecretBasic(secret) : oidc.None(),
    {
      execute: [oidc.allowInsecureRequests]
    }
  )

  return { ...world, client, uid, redirectUri, received }
}

/** An authorization request with state, nonce and PKCE, and what the client has to check. */
async function anAuthorization(client: oidc.Configuration, redirectUri: string) {
  const checks = { pkceCodeVerifier: oidc.randomPKCECodeVerifier(), expectedState: oidc.randomState(), expectedNonce: oidc.randomNonce() }
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid profile email read_user',
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    max_age: '3600'
  })

  return { url, checks: { ...checks, idTokenExpected: true, maxAge: 3600 } }
}

function refusalOf(exchange: Promise<unknown>) {
  return exchange.then(
    () => undefined,
    ({ error }) => error
  )
}

t.test('openid-client signs a user in, through the pages in Chromium', { skip: noBrowser || false }, async t => {
  const { client, redirectUri, received, issuer, uid, call } = await openRelyingParty(t)
  const { url, checks } = await anAuthorization(client, redirectUri)

  oidc.enableNonRepudiationChecks(client)
  await authorizeInBrowser(t, url)
  const callback = await received
  const tokens = await oidc.authorizationCodeGrant(client, callback, checks)
  const claims = tokens.claims()!
  const { body: root } = await call('GET', '/user')

  t.equal(callback.searchParams.get('iss'), issuer)
  t.equal(claims.iss, issuer)
  t.equal(claims.aud, uid)
  t.equal(claims.sub, String(root.id))
  t.equal(claims.preferred_username, 'root')
  t.equal(tokens.expires_in, 7200)
  const { preferred_username: username, email } = await oidc.fetchUserInfo(client, tokens.access_token, claims.sub)

  t.equal(username, 'root')
  t.equal(email, root.email)
})

t.test('openid-client refreshes, introspects and revokes', async t => {
  const world = await openRelyingParty(t)
  const { client, redirectUri, uid, app } = world
  const { url, checks } = await anAuthorization(client, redirectUri)
  const first = await oidc.authorizationCodeGrant(client, await authorizeWithForms(world, url), checks)
  const second = await oidc.refreshTokenGrant(client, first.refresh_token!)
  const statusWith = async (token: string) =>
    (await app.inject({ url: '/api/v4/user', headers: { authorization: `Bearer ${token}` } })).statusCode

  t.equal(second.claims()!.sub, first.claims()!.sub)
  t.equal(await statusWith(first.access_token), 401, 'a refresh ends the old pair')
  t.equal(await statusWith(second.access_token), 200)
  const { active, client_id: clientId, scope } = await oidc.tokenIntrospection(client, second.access_token)

  t.same({ active, clientId, scope }, { active: true, clientId: uid, scope: 'openid profile email read_user' })
  await oidc.tokenRevocation(client, second.access_token)
  t.equal(await statusWith(second.access_token), 401)
  t.same(await oidc.tokenIntrospection(client, second.access_token), { active: false })
  t.equal(await refusalOf(oidc.refreshTokenGrant(client, second.refresh_token!)), 'invalid_grant')
  t.equal(await refusalOf(oidc.refreshTokenGrant(client, first.refresh_token!)), 'invalid_grant')
})

t.test('a public client needs PKCE, and no secret', async t => {
  const world = await openRelyingParty(t, { isConfidential: false })
  const { client, redirectUri } = world
  const { url, checks } = await anAuthorization(client, redirectUri)
  const callback = await authorizeWithForms(world, url)

  t.equal(
    await refusalOf(oidc.authorizationCodeGrant(client, callback, { ...checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() })),
    'invalid_grant'
  )
  const again = await anAuthorization(client, redirectUri)
  const tokens = await oidc.authorizationCodeGrant(client, await authorizeWithForms(world, again.url), again.checks)

  t.equal(tokens.claims()!.preferred_username, 'root')
})

t.test('an application gets a token for itself', async t => {
  const { client } = await openRelyingParty(t)
  const tokens = await oidc.clientCredentialsGrant(client, { scope: 'read_api' })

  t.equal(tokens.scope, 'read_api')
  t.equal(tokens.id_token, undefined)
  t.equal((await oidc.tokenIntrospection(client, tokens.access_token)).active, true)
})
