import type { FastifyRequest } from 'fastify'
import type { Identify } from '../http/guards/guards.ts'
import { Forbidden, Unauthorized } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { accessTokenStrategy } from './credentials/access-token.ts'
import { deployTokenStrategy } from './credentials/deploy-token.ts'
import { jobTokenStrategy } from './credentials/job-token.ts'
import { sessionStrategy } from './credentials/session.ts'
import { applySudo } from './sudo.ts'
import type { Viewer } from './viewer.ts'

/**
 * Order matters: a request is authenticated by the first credential it carries. A kind that shares its header with
 * access tokens comes before them and reads only tokens with its own prefix.
 */
const strategies = [jobTokenStrategy, deployTokenStrategy, accessTokenStrategy, sessionStrategy]

export function identifyWith(fork: () => EntityManager): Identify {
  return async request => {
    const em = fork()
    const caller = await authenticate(em, request)

    if (caller && !caller.user.isActive()) throw new Forbidden('Your account has been blocked')

    return applySudo(em, request, caller)
  }
}

/** The user of a request whose route requires one. */
export function callerOf(request: FastifyRequest) {
  if (!request.caller) throw new Unauthorized()

  return request.caller.user as Viewer
}

/** The user of a request whose route allows anonymous access; undefined when it is anonymous. */
export function viewerOf(request: FastifyRequest) {
  return request.caller?.user as Viewer | undefined
}

async function authenticate(em: EntityManager, request: FastifyRequest) {
  for (const strategy of strategies) {
    const secret = strategy.read(request)

    if (secret) return strategy.authenticate(em, secret, request)
  }
}
