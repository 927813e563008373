import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from '#api/problems/render-problems.ts'
import type { AuthStrategy } from '#identity/credentials/auth-strategy.ts'
import { basicStrategy } from '#identity/credentials/basic-strategy.ts'
import { RememberedPasswords } from '#identity/credentials/remembered-passwords.ts'
import { identifyWith } from '#identity/identify.ts'
import { NotFound } from '#lib/refusals.ts'
import { authenticateDeployToken } from '#projects/tokens/basic-deploy-token.ts'
import { grantAccess } from './grant-access.ts'
import { readScopes } from './read-scopes.ts'
import { type Access, lifetimeSeconds, service, signToken } from './sign-token.ts'

type TokenRequest = FastifyRequest<{ Querystring: { scope?: string | string[] } }>

/** Where the registry sends clients for tokens: the token specification of the distribution project. */
export async function registryTokens(app: FastifyInstance, { oauthTokens }: { oauthTokens: AuthStrategy }) {
  const { config } = app.platform

  renderErrors(app)
  app.get(
    '/jwt/auth',
    { onRequest: authenticate(app, oauthTokens), config: { allowsJobToken: true } },
    async (request: TokenRequest, reply) => {
      const { registry } = config

      if (!registry) throw new NotFound()
      const { caller, deployToken } = request
      const access: Access[] = []
      const at = new Date()

      for (const wish of readScopes(request.query.scope)) {
        const granted = await grantAccess(request.em, config, { caller, deployToken }, wish)

        if (granted) access.push(granted)
      }
      const token = await signToken(registry, deployToken?.username ?? caller?.user.username ?? '', access, at)

      reply.header('cache-control', 'no-store')

      return { token, access_token: token, expires_in: lifetimeSeconds, issued_at: at.toISOString() }
    }
  )
}

function authenticate(app: FastifyInstance, oauthTokens: AuthStrategy) {
  const passwords = new RememberedPasswords()

  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (await authenticateDeployToken(request, request.em)) return
    const strategy = basicStrategy({ oauthTokens, passwords, countGuess: () => app.countGuess(request, reply) })

    request.caller = await identifyWith(app.platform.fork, [strategy])(request)
  }
}

const codes: Record<number, string> = { 401: 'UNAUTHORIZED', 403: 'DENIED', 404: 'UNSUPPORTED', 429: 'TOOMANYREQUESTS' }

/** Clients show the message of the first error. */
function renderErrors(app: FastifyInstance) {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error as FastifyError, request)

    reply.code(problem.status).headers(problem.headers)
    if (problem.status === 401) reply.header('www-authenticate', `Basic realm="${service}", charset="UTF-8"`)

    return reply.send({ errors: [{ code: codes[problem.status] ?? 'UNKNOWN', message: problem.summary() }] })
  })
}
