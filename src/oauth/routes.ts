import type { FastifyInstance } from 'fastify'
import { compileValidator } from '#api/parameters/validation.ts'
import { rejectWrongMethods } from '#api/problems/wrong-methods.ts'
import { registrationEndpoint } from './applications/registration-endpoint.ts'
import { allowOAuthOrigins } from './cors.ts'
import { tokenEndpoint } from './grants/token-endpoint.ts'
import { userinfo } from './openid/userinfo.ts'
import { parseOAuthBodies } from './parameters.ts'
import { renderOAuthErrors } from './render-errors.ts'
import { infoEndpoint } from './tokens/info-endpoint.ts'
import { introspectEndpoint } from './tokens/introspect-endpoint.ts'
import { revokeEndpoint } from './tokens/revoke-endpoint.ts'

/** The endpoints of the OAuth 2.0 provider that applications call, under `/oauth`. */
export async function oauthEndpoints(app: FastifyInstance) {
  app.setValidatorCompiler(compileValidator)
  renderOAuthErrors(app)
  neverStore(app)
  allowOAuthOrigins(app)
  rejectWrongMethods(app)
  parseOAuthBodies(app)
  limitBodies(app)

  await app.register(tokenEndpoint)
  await app.register(infoEndpoint)
  await app.register(revokeEndpoint)
  await app.register(introspectEndpoint)
  await app.register(userinfo)
  if (app.platform.config.allowsClientRegistration) await app.register(registrationEndpoint)
}

function limitBodies(app: FastifyInstance) {
  app.addHook('onRoute', route => {
    route.bodyLimit = 65_536
  })
}

/** RFC 6749 §5.1: responses with tokens must not be cached. */
function neverStore(app: FastifyInstance) {
  app.addHook('onRequest', async (_request, reply) => void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }))
}
