import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { bearerChallenge } from '#api/problems/bearer-challenge.ts'
import { asProblem } from '#api/problems/problem-of.ts'
import { readAccessToken } from '#identity/credentials/auth-strategy.ts'
import { InactiveAccount } from '#identity/identify.ts'
import { Unauthenticated } from '#lib/refusals.ts'
import { Claims, claimsOf } from './claims.ts'

const explained = 'Without content: `WWW-Authenticate` has the reason.'

/** OpenID Connect Core §5.3: the claims about the user of an access token. */
export const userinfo: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  // RFC 6750 §3: the reason is in the challenge.
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = asProblem(error)

    if (problem?.status !== 401 && problem?.status !== 403) throw error
    // §3.1: a token of a user who is not active is not valid.
    const status = error instanceof InactiveAccount ? 401 : problem.status

    return reply.code(status).header('www-authenticate', challengeFor(request, status)).send()
  })

  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/userinfo',
    onRequest: app.requireUser,
    config: { role: 'user', scopes: ['openid'] },
    schema: {
      tags: ['OAuth'],
      summary: 'Get the claims about the user of the access token',
      response: { 200: Claims, 401: Type.Null({ description: explained }), 403: Type.Null({ description: explained }) }
    },
    async handler(request) {
      const { scopes } = request.caller!

      // A session is the browser's, not an application's.
      if (scopes === 'all') throw new Unauthenticated()

      return claimsOf(request.em, request.user, scopes, { baseUrl: config.baseUrl, groups: 'all' })
    }
  })
}

/** Without a token there is no error yet (RFC 6750 §3.1). */
function challengeFor(request: FastifyRequest, status: number) {
  if (status === 403) {
    return bearerChallenge({ error: 'insufficient_scope', error_description: 'The access token lacks the scope openid.', scope: 'openid' })
  }
  if (!readAccessToken(request)) return bearerChallenge({})

  return bearerChallenge({ error: 'invalid_token', error_description: 'The access token is invalid, expired or revoked.' })
}
