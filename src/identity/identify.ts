import type { FastifyRequest } from 'fastify'
import type { Identify } from '../http/guards/guards.ts'
import { Forbidden, Unauthorized } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { accessToken } from './credentials/access-token.ts'
import type { CredentialKind } from './credentials/credential.ts'
import { deployToken } from './credentials/deploy-token.ts'
import { jobToken } from './credentials/job-token.ts'
import { session } from './credentials/session.ts'
import { actAs } from './sudo.ts'
import type { Viewer } from './viewer.ts'

/**
 * Every way of saying who one is. The first that a request carries is the one that counts: a kind that
 * stands in the same place as access tokens (OAuth's do) comes before them and reads only what is its own.
 */
const kinds: CredentialKind[] = [jobToken, deployToken, accessToken, session]

/** Finds out who makes a request, by whichever credential it carries. */
export function identifyWith(fork: () => EntityManager): Identify {
  return async request => {
    const em = fork()
    const caller = await readCaller(em, request)

    if (caller && !caller.user.isActive()) throw new Forbidden('Your account has been blocked')

    return actAs(em, request, caller)
  }
}

/** The user behind a guarded request. */
export function callerOf(request: FastifyRequest) {
  if (!request.caller) throw new Unauthorized()

  return request.caller.user as Viewer
}

/** Whoever asks, or nobody, where anybody may. */
export function viewerOf(request: FastifyRequest) {
  return request.caller?.user as Viewer | undefined
}

async function readCaller(em: EntityManager, request: FastifyRequest) {
  for (const kind of kinds) {
    const secret = kind.read(request)

    if (secret) return kind.identify(em, secret, request)
  }
}
