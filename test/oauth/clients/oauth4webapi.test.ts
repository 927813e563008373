import * as oauth from 'oauth4webapi'
import t from 'tap'
import { anApplication } from '../authorizing.ts'
import { authorizeWithForms, openIssuer } from './issuer.ts'

const redirectUri = 'https://client.example/callback'
const insecure = { [oauth.allowInsecureRequests]: true }

for (const algorithm of ['oidc', 'oauth2'] as const) {
  t.test(`oauth4webapi runs every flow, after discovery by ${algorithm}`, async t => {
    const world = await openIssuer(t)
    const { client_id: uid, client_secret: secret } = await anApplication(world.platform)
    const issuer = new URL(world.issuer)
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure }))
    const client = { client_id: uid }
    const authenticate = algorithm === 'oidc' ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
    const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()]
    const url = new URL(as.authorization_endpoint!)

    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: uid,
      redirect_uri: redirectUri,
      scope: 'openid email read_api',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce
    }).toString()
    const callback = oauth.validateAuthResponse(as, client, await authorizeWithForms(world, url), state)
    const response = await oauth.authorizationCodeGrantRequest(as, client, authenticate, callback, redirectUri, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, { expectedNonce: nonce, requireIdToken: true })
    const claims = oauth.getValidatedIdTokenClaims(tokens)!

    await oauth.validateApplicationLevelSignature(as, response, insecure)
    const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure)

    t.equal((await oauth.processUserInfoResponse(as, client, claims.sub, info)).sub, claims.sub)
    const refresh = await oauth.refreshTokenGrantRequest(as, client, authenticate, tokens.refresh_token!, insecure)
    const refreshed = await oauth.processRefreshTokenResponse(as, client, refresh)

    t.equal(refreshed.scope, 'openid email read_api')
    t.equal(oauth.getValidatedIdTokenClaims(refreshed)!.sub, claims.sub)
    const introspect = async (token: string) =>
      oauth.processIntrospectionResponse(as, client, await oauth.introspectionRequest(as, client, authenticate, token, insecure))

    t.equal((await introspect(refreshed.access_token)).active, true)
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authenticate, refreshed.access_token, insecure))
    t.equal((await introspect(refreshed.access_token)).active, false)
    const granted = await oauth.clientCredentialsGrantRequest(as, client, authenticate, { scope: 'read_api' }, insecure)

    t.equal((await oauth.processClientCredentialsResponse(as, client, granted)).scope, 'read_api')
  })
}
