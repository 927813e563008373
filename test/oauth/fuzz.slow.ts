import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import { allRoutesOf } from '../api/routes.ts'
import type { Visitor } from '../pages/visitor.ts'
import fc from '../support/properties.ts'
import { anyText } from '../support/texts.ts'
import { openAuthorization, redirectUri } from './authorizing.ts'

/** `FUZZ_REQUESTS=10000` for a longer look. */
const { FUZZ_REQUESTS: requests = 800 } = process.env

const marker = '<fuzz'
const loopback = 'http://127.0.0.1/cb'
const native = 'com.example.app:/cb'
const redirectUris = [redirectUri, `${redirectUri}?tenant=1`, loopback, native]
const foreign = [
  '//evil.example',
  'https://evil.example/',
  `${redirectUri}@evil.example`,
  `${redirectUri}/../../evil`,
  'https://client.example.evil.example/callback',
  'http://127.0.0.1:1@evil.example/cb',
  'com.example.app:/cb/evil'
]
const hostile = [
  ...foreign,
  `"'>${marker}>`,
  `javascript:${marker}>`,
  '\r\nlocation: //evil.example',
  '\0',
  '\ud800',
  '',
  ' ',
  '%',
  '9'.repeat(40),
  'a'.repeat(5000),
  '[]',
  '{}',
  '__proto__'
]
/** What browsers and MCP clients send. */
const browserHeaders = [
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'mcp-protocol-version',
  'x-requested-with'
]
const header = fc.oneof(
  fc.constantFrom(
    'https://client.example',
    'null',
    'POST',
    'authorization,mcp-protocol-version',
    '2025-06-18',
    `"'>${marker}>`,
    '\u00e9',
    ''
  ),
  fc.string({ maxLength: 40 })
)
const garbage = fc.oneof(fc.constantFrom(...hostile), anyText({ maxLength: 40 }), fc.string({ maxLength: 40 }))

const pages = ['/-/profile/applications', '/admin/applications']
const documents = [
  '/oauth/discovery/keys',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/v4/mcp',
  '/.well-known/webfinger'
]
const endpoints = [
  'GET /oauth/authorize',
  'GET /oauth/authorize',
  'POST /oauth/authorize',
  'POST /oauth/authorize/decision',
  'POST /oauth/token',
  'GET /oauth/token/info',
  'POST /oauth/revoke',
  'POST /oauth/introspect',
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(method => `${method} /oauth/userinfo`),
  'POST /oauth/register',
  'OPTIONS /oauth/token',
  ...documents.flatMap(path => [`GET ${path}`, `OPTIONS ${path}`]),
  ...pages.flatMap(path => [`GET ${path}`, `POST ${path}`, `GET ${path}/:id`, `POST ${path}/:id`, `POST ${path}/:id/secret`]),
  ...pages.map(path => `POST ${path}/:id/deletion`),
  'POST /-/profile/applications/:id/revocation',
  'GET /api/v4/applications',
  'POST /api/v4/applications',
  'DELETE /api/v4/applications/:application_id',
  'POST /api/v4/applications/:application_id/renew-secret',
  'POST /api/v4/mcp',
  'GET /users/sign_in',
  'POST /users/sign_in',
  'GET /users/sign_in/code',
  'POST /users/sign_in/code'
]

t.test('random OAuth requests cause no server error, reflect nothing unescaped, and redirect to registered addresses only', async t => {
  const { app, client, visitor } = await openAuthorization(t, {
    env: { OAUTH_DYNAMIC_REGISTRATION: 'true' },
    application: { name: `"'>${marker}>`, redirectUris }
  })
  const values = usualValues(client)
  let answers = 0

  await fc.assert(
    fc.asyncProperty(aRequest(values, visitor), async request => {
      const problem = await problemWith(app, request)

      if (problem) throw new Error(`${problem}\n${JSON.stringify(request)}`)
      answers++
    }),
    { numRuns: Number(requests) }
  )
  t.equal(answers, Number(requests))
  t.equal((await app.inject('/-/liveness')).statusCode, 200)
})

t.test('every OAuth endpoint is among them', async t => {
  const { app } = await openAuthorization(t, { env: { OAUTH_DYNAMIC_REGISTRATION: 'true' } })
  const isOurs = (route: string) => / \/(oauth|\.well-known)\/|\/applications|\/mcp$/.test(route)
  const found = allRoutesOf(app)
    .filter(isOurs)
    .map(route => route.replace(/\(.*?\)(?=\/|$)/, ''))

  t.ok(found.length > 30)
  t.same(
    found.filter(route => !endpoints.includes(route)),
    []
  )
})

/** Values that lead further than to the first check. */
function usualValues({ client_id, client_secret }: { client_id: string; client_secret: string }): Record<string, string[]> {
  return {
    client_id: [client_id],
    client_secret: [client_secret],
    redirect_uri: [...redirectUris, ...redirectUris, 'http://127.0.0.1:5000/cb', ...foreign],
    response_type: ['code', 'code', 'code', 'token'],
    response_mode: ['query', 'fragment', 'form_post'],
    scope: ['read_user', 'openid profile', 'api'],
    state: ['s', `"'>${marker}>`],
    nonce: ['n'],
    prompt: ['none', 'login', 'consent', 'select_account'],
    max_age: ['0', '100'],
    login_hint: ['root', `"'>${marker}>`],
    code_challenge: ['a'.repeat(43)],
    code_challenge_method: ['S256', 'plain'],
    decision: ['approve', 'deny'],
    grant_type: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
    code: ['0'.repeat(64)],
    code_verifier: ['a'.repeat(43)],
    refresh_token: ['0'.repeat(64)],
    username: ['root'],
    password: ['wrong'],
    token: ['0'.repeat(64)],
    token_type_hint: ['access_token', 'refresh_token'],
    access_token: ['0'.repeat(64)],
    resource: ['acct:root@tocsin.test'],
    request: ['e30.e30.'],
    id_token_hint: ['e30.e30.', 'e30.e30.e30'],
    page: ['2', '0'],
    name: ['Client', `"'>${marker}>`],
    redirect_uris: [redirectUri],
    scopes: ['read_user'],
    return_to: ['/', '/oauth/authorize?client_id=1'],
    login: ['root']
  }
}

const forAuthorization = ['client_id', 'redirect_uri', 'response_type', 'scope']

function aRequest(values: Record<string, string[]>, { cookies, token }: Visitor) {
  const names = Object.keys(values)
  const pair = fc.constantFrom(...names).chain(name => fc.tuple(fc.constant(name), aValue(values[name]!, 4)))
  const usualPairs = fc.tuple(...forAuthorization.map(name => aValue(values[name]!, 20).map(value => [name, value] as [string, string])))
  const odd = fc.tuple(garbage, garbage)

  return fc
    .record({
      endpoint: fc.constantFrom(...endpoints),
      usual: fc.option(usualPairs, { nil: [], freq: 4 }),
      pairs: fc.array(fc.oneof({ weight: 9, arbitrary: pair }, { weight: 1, arbitrary: odd }), { maxLength: 6 }),
      isSignedIn: fc.boolean(),
      type: fc.constantFrom('application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'application/json', 'text/plain'),
      // Not that of the client, which would be deleted.
      id: fc.constantFrom('2', '3', '0', '999999999999999'),
      browser: fc.option(fc.dictionary(fc.constantFrom(...browserHeaders), header, { minKeys: 1 }), { nil: {}, freq: 3 }),
      authorization: fc.option(
        fc.oneof(
          garbage.map(text => `Basic ${Buffer.from(text.toWellFormed()).toString('base64')}`),
          fc.constant(`Bearer ${'0'.repeat(64)}`)
        ),
        { nil: undefined, freq: 3 }
      )
    })
    .map(({ endpoint, usual, pairs, isSignedIn, type, id, browser, authorization }): InjectOptions => {
      const [method, route] = endpoint.split(' ') as ['GET' | 'POST' | 'DELETE' | 'OPTIONS', string]
      const path = route.replace(/:\w+/, id)
      const given = [...usual, ...pairs] as [string, string][]
      const query = encode(given)
      const isForm = method === 'POST' && !path.endsWith('decision')

      return {
        method,
        url: isForm || !query ? path : `${path}?${query}`,
        headers: {
          accept: 'text/html',
          'sec-fetch-site': 'same-origin',
          ...browser,
          ...(authorization && { authorization }),
          ...(method === 'POST' && { 'content-type': type })
        },
        cookies: isSignedIn ? cookies : {},
        ...(method === 'POST' && { payload: type === 'application/json' ? toJson(given) : encode([...given, ['csrf_token', token]]) })
      }
    })
}

function aValue(usual: string[], weight: number) {
  return fc.oneof({ weight, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: garbage })
}

function encode(pairs: [string, string][]) {
  return pairs.map(pair => pair.map(text => encodeURIComponent(text.toWellFormed())).join('=')).join('&')
}

function toJson(pairs: [string, string][]) {
  return JSON.stringify(Object.fromEntries(pairs))
}

async function problemWith(app: FastifyInstance, request: InjectOptions) {
  const { statusCode, headers, body } = await app.inject(request)
  const location = headers.location === undefined ? undefined : String(headers.location)

  if (statusCode >= 500) return `${statusCode}: ${body}`
  if (String(headers['content-type']).startsWith('text/html') && body.includes(marker)) return `unescaped: ${body}`
  if (statusCode >= 300 && statusCode < 400 && !isAllowed(location)) return `redirected to ${location}`
  const [, target] = /<form method="post" action="([a-z.]+:[^"]*)"/.exec(body) ?? []

  return target && !isAllowed(`${target}?`) ? `a form for ${target}` : undefined
}

function isAllowed(location = '') {
  if (/^\/(?![/\\])/.test(location)) return true

  return (
    redirectUris.some(uri => /^[?&#]/.test(location.slice(uri.length)) && location.startsWith(uri)) ||
    /^http:\/\/127\.0\.0\.1:5000\/cb[?#]/.test(location)
  )
}
