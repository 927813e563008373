import type { FastifyRequest } from 'fastify'
import { bearerChallenge } from '#api/problems/bearer-challenge.ts'
import { InsufficientScope, Problem, Unauthorized } from '#api/problems/problems.ts'
import { readAccessToken } from '#identity/credentials/auth-strategy.ts'
import { InactiveAccount } from '#identity/identify.ts'

/** RFC 6750 §3 and RFC 9728 §5.1: what is wrong with the token, and where to get another one. Throws the error again. */
export function challenge(error: unknown, request: FastifyRequest, resource_metadata: string): never {
  // §3.1: a token of a user who is not active is not valid.
  const problem = error instanceof InactiveAccount ? new Unauthorized(error.reason) : error

  if (problem instanceof InsufficientScope) {
    problem.headers['www-authenticate'] = bearerChallenge({
      error: 'insufficient_scope',
      error_description: 'The access token may not read the API.',
      // Tools that change something ask for more when they are called.
      scope: 'read_api',
      resource_metadata
    })
  } else if (problem instanceof Problem && problem.status === 401) {
    problem.headers['www-authenticate'] = bearerChallenge({ ...reasonOf(request), resource_metadata })
  }
  throw problem
}

/** Without a token there is no error yet (RFC 6750 §3.1). */
function reasonOf(request: FastifyRequest) {
  if (!readAccessToken(request)) return {}

  return { error: 'invalid_token', error_description: 'The access token is invalid, expired or revoked.' }
}
