import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const path = '/users/auth/openid_connect'
const clientSecret = 'a secret of at least 32 characters'

interface Answers {
  /** Of the ID token; the usual ones unless given. */
  claims: (usual: JWTPayload) => JWTPayload
  sign: (claims: JWTPayload) => Promise<string> | string
  userInfo: (claims: JWTPayload) => JWTPayload
  /** Instead of tokens. */
  token: (response: ServerResponse) => void
}

/** A sign-in at a provider that answers as the test says. */
async function openLyingProvider(t: Test) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'ours' }] }
  const given: { answers: Partial<Answers>; nonce: string } = { answers: {}, nonce: '' }
  const sign = (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'ours' }).sign(privateKey)
  const send = (response: ServerResponse, body: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const usual = () => {
    const now = Math.floor(Date.now() / 1000)
    const who = { sub: '1', email: 'eve@shop.example', email_verified: true, preferred_username: 'eve' }

    return { iss: issuer, aud: 'tocsin', iat: now, exp: now + 60, nonce: given.nonce, ...who }
  }
  const server = createServer(async ({ url }, response) => {
    const { answers } = given
    const claims = (answers.claims ?? (same => same))(usual())

    if (url === '/jwks') return send(response, jwks)
    if (url === '/userinfo') return send(response, answers.userInfo?.(usual()) ?? usual())
    if (url === '/token' && answers.token) return answers.token(response)
    if (url === '/token') return send(response, { access_token: 'a', token_type: 'bearer', id_token: await (answers.sign ?? sign)(claims) })
    send(response, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  t.teardown(() => server.close(() => undefined).closeAllConnections())
  const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'tocsin', OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Liar', OIDC_SIGN_UP: 'true' }
  const { app, platform } = await openApp(t, { env })

  /** The text on the page where a sign-in with these answers ends; undefined for success. */
  return async (answers: Partial<Answers>, iss: string | undefined = issuer) => {
    const visitor = new Visitor(app)
    const { searchParams } = new URL(/url=(.+)$/.exec(String((await visitor.post(path)).headers.refresh))![1]!)

    Object.assign(given, { answers, nonce: searchParams.get('nonce') })
    const query = new URLSearchParams({ code: 'c', state: searchParams.get('state')!, ...(iss && { iss }) })
    const { statusCode, body } = await visitor.get(`${path}/callback?${query}`)
    const [, problem] = /<p class="problem"[^>]*>([^<]+)</.exec(body) ?? []

    t.equal(statusCode, problem ? 400 : 303)
    t.equal(Boolean(visitor.cookies._service_session), !problem)
    t.equal((await platform.pool.query('SELECT FROM identities')).rowCount, problem ? 0 : 1)

    return problem
  }
}

const unverified = /^The answer of Liar could not be verified/

t.test('only an ID token that the provider signed for this client, now, signs in', async t => {
  const signIn = await openLyingProvider(t)
  const other = await generateKeyPair('RS256')
  const refused: Record<string, [Partial<Answers>, RegExp]> = {
    'another issuer': [{ claims: usual => ({ ...usual, iss: 'https://evil.example' }) }, unverified],
    'another client': [{ claims: usual => ({ ...usual, aud: 'other' }) }, unverified],
    'several clients, without azp': [{ claims: usual => ({ ...usual, aud: ['tocsin', 'other'] }) }, unverified],
    'azp of another client': [{ claims: usual => ({ ...usual, aud: ['tocsin', 'other'], azp: 'other' }) }, unverified],
    'no nonce': [{ claims: ({ nonce, ...usual }) => usual }, unverified],
    'another nonce': [{ claims: usual => ({ ...usual, nonce: 'another' }) }, unverified],
    'no subject': [{ claims: ({ sub, ...usual }) => usual }, unverified],
    'a subject that cannot be stored': [{ claims: usual => ({ ...usual, sub: '1\0' }) }, unverified],
    expired: [
      { claims: usual => ({ ...usual, iat: usual.iat! - 600, exp: usual.iat! - 60 }) },
      /^The clocks of Liar and of this server differ/
    ],
    'not yet valid': [{ claims: usual => ({ ...usual, nbf: usual.iat! + 60 }) }, /^The clocks of Liar and of this server differ/],
    'the key of another': [
      { sign: claims => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'ours' }).sign(other.privateKey) },
      unverified
    ],
    'the shared secret': [
      { sign: claims => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(clientSecret)) },
      unverified
    ],
    'no signature': [{ sign: claims => new UnsecuredJWT(claims).encode() }, unverified],
    'the userinfo of somebody else': [{ userInfo: usual => ({ ...usual, sub: '2' }) }, unverified]
  }

  for (const [what, [answers, text]] of Object.entries(refused)) t.match(await signIn(answers), text, what)
  t.match(await signIn({}, 'https://evil.example'), unverified, 'a mix-up of providers')
  t.match(await signIn({}, ''), unverified, 'a provider that names itself must do so')
  t.equal(await signIn({}), undefined)
})

t.test('whatever the token endpoint answers, the page says what is wrong', async t => {
  const signIn = await openLyingProvider(t)
  const answers: [Answers['token'], RegExp][] = [
    [response => response.writeHead(502).end('<h1>Bad Gateway</h1>'), /^Liar cannot be reached/],
    [response => response.destroy(), /^Liar cannot be reached/],
    [response => response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(2 << 20)), /^Liar cannot be reached/],
    [response => response.writeHead(302, { location: 'http://127.0.0.1:9' }).end(), unverified],
    [response => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'), unverified],
    [response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"a"'), unverified],
    [
      response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"a","token_type":"bearer"}'),
      unverified
    ],
    [
      response => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
      /^Liar refused the sign-in/
    ]
  ]

  for (const [n, [token, text]] of answers.entries()) t.match(await signIn({ token }), text, String(n))
})
