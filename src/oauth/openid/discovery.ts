import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { allowReaders } from '#api/cors.ts'
import type { Config } from '#config.ts'
import { MissingParameters } from '#lib/refusals.ts'
import { responseModes } from '../authorize/redirect-target.ts'
import { grants } from '../grants/grants.ts'
import { oauthScopes } from '../scopes.ts'
import { Claims } from './claims.ts'
import { algorithm, publicKeys } from './key-ring.ts'

const Jwk = Type.Object({
  kty: Type.String(),
  n: Type.String(),
  e: Type.String(),
  kid: Type.String(),
  alg: Type.String(),
  use: Type.String()
})
const Texts = Type.Array(Type.String())
const Metadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  introspection_endpoint: Type.String(),
  userinfo_endpoint: Type.String(),
  registration_endpoint: Type.Optional(Type.String()),
  jwks_uri: Type.String(),
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  introspection_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  authorization_response_iss_parameter_supported: Type.Boolean(),
  subject_types_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  claim_types_supported: Texts,
  claims_supported: Texts,
  claims_parameter_supported: Type.Boolean(),
  request_parameter_supported: Type.Boolean(),
  request_uri_parameter_supported: Type.Boolean()
})

const confidential = ['client_secret_basic', 'client_secret_post']

/** What clients read first: where the endpoints are and what they support (RFC 8414; OpenID Connect Discovery). */
export const discovery: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  allowReaders(app)

  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    app.get(`/.well-known/${name}`, { schema: { response: { 200: Metadata } } }, async () => metadata(config))
  }

  app.get('/oauth/discovery/keys', { schema: { response: { 200: Type.Object({ keys: Type.Array(Jwk) }) } } }, async () =>
    publicKeys(app.platform.fork(), config, new Date())
  )

  // RFC 7033: the issuer is the same for everybody, and whether the account exists stays unsaid.
  app.get<{ Querystring: { resource?: string } }>('/.well-known/webfinger', async ({ query: { resource } }, reply) => {
    if (typeof resource !== 'string' || resource === '') throw new MissingParameters('resource')
    const links = [{ rel: 'http://openid.net/specs/connect/1.0/issuer', href: config.baseUrl }]

    return reply.type('application/jrd+json').send(JSON.stringify({ subject: resource, links }))
  })
}

function metadata({ baseUrl, allowsClientRegistration }: Config) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    ...(allowsClientRegistration && { registration_endpoint: `${baseUrl}/oauth/register` }),
    jwks_uri: `${baseUrl}/oauth/discovery/keys`,
    scopes_supported: oauthScopes,
    response_types_supported: ['code'],
    response_modes_supported: [...responseModes],
    grant_types_supported: [...grants.keys()],
    token_endpoint_auth_methods_supported: [...confidential, 'none'],
    revocation_endpoint_auth_methods_supported: [...confidential, 'none'],
    introspection_endpoint_auth_methods_supported: confidential,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    claim_types_supported: ['normal'],
    claims_supported: ['iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', ...Object.keys(Claims.properties)],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false
  }
}
