import type { FastifyError, FastifyInstance } from 'fastify'
import { clientHeaders } from '#api/cors.ts'
import { compileValidator } from '#api/parameters/validation.ts'
import { Problem, sendProblem } from '#api/problems/problems.ts'
import { toProblem } from '#api/problems/render-problems.ts'
import { rejectWrongMethods } from '#api/problems/wrong-methods.ts'
import { registrationEndpoint } from './applications/registration-endpoint.ts'
import { InvalidRequest, OAuthError } from './errors.ts'
import { tokenEndpoint } from './grants/token-endpoint.ts'
import { userinfo } from './openid/userinfo.ts'
import { parseOAuthBodies } from './parameters.ts'
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

/** Any origin may call these endpoints, with a token or its own secret: never with cookies. */
function allowOAuthOrigins(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate, Retry-After' })
    if (request.method !== 'OPTIONS') return

    reply.headers({
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': clientHeaders,
      'access-control-max-age': '7200'
    })
  })
}

/** Renders every error of the OAuth endpoints as RFC 6749 §5.2 says. */
function renderOAuthErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toOAuthError(toProblem(error as FastifyError, request))))
}

function toOAuthError(problem: Problem) {
  const { status, headers } = problem

  // Unknown paths and wrong methods answer as everywhere.
  if (problem instanceof OAuthError || status === 404 || status === 405) return problem
  if (status < 500 && status !== 429) return new Problem(status, new InvalidRequest(problem.summary()).body, headers)
  const code = status === 500 ? 'server_error' : 'temporarily_unavailable'

  return new Problem(status, { error: code, error_description: problem.summary() }, headers)
}
