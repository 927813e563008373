import type { FastifyRequest } from 'fastify'
import type { Caller } from '#lib/caller.ts'
import { Forbidden, Unauthenticated } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type AuthStrategy, readAccessToken, readHeader } from './credentials/auth-strategy.ts'
import { applySudo } from './sudo.ts'
import type { Viewer } from './viewer.ts'

/** Deploy tokens fetch code and packages; the API rejects all of them, valid or not. */
export const deployTokenStrategy: AuthStrategy = {
  read(request) {
    const token = readAccessToken(request)

    return readHeader(request, 'deploy-token') ?? (token?.startsWith('gldt-') ? token : undefined)
  },
  async authenticate() {
    throw new Unauthenticated()
  }
}

/**
 * Order matters: a request is authenticated by the first credential it carries. A kind that shares its header with
 * access tokens comes before them and reads only tokens of its own form.
 */
export function identifyWith(fork: () => EntityManager, strategies: AuthStrategy[]) {
  return async (request: FastifyRequest): Promise<Caller | undefined> => {
    const em = fork()
    const caller = await authenticate(em, strategies, request)

    if (caller) checkActive(caller.user as Viewer)

    return applySudo(em, request, caller)
  }
}

/** The user of a request whose route requires one. */
export function callerOf(request: FastifyRequest) {
  if (!request.caller) throw new Unauthenticated()

  return request.caller.user as Viewer
}

/** The user of a request whose route allows anonymous access; undefined when it is anonymous. */
export function viewerOf(request: FastifyRequest) {
  return request.caller?.user as Viewer | undefined
}

/** A valid credential of a user who is not active: 403 in the REST API, and an invalid token where RFC 6750 applies. */
export class InactiveAccount extends Forbidden {
  override code = 'inactive_account'
}

function checkActive({ state }: Viewer) {
  if (state === 'deactivated') throw new InactiveAccount('Your account has been deactivated. Sign in with a browser to reactivate it.')
  if (state !== 'active') throw new InactiveAccount('Your account has been blocked')
}

async function authenticate(em: EntityManager, strategies: AuthStrategy[], request: FastifyRequest) {
  for (const strategy of strategies) {
    const secret = strategy.read(request)

    if (secret) return strategy.authenticate(em, secret, request)
  }
}
