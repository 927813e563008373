import type { FastifyRequest } from 'fastify'
import type { Caller } from '#lib/caller.ts'
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findUser } from './users/find-user.ts'

/**
 * Replaces an admin by the user named in `sudo`. The request is limited by the permissions of that user and by the
 * token's other scopes.
 */
export async function applySudo(em: EntityManager, request: FastifyRequest, caller: Caller | undefined): Promise<Caller | undefined> {
  const idOrUsername = readSudo(request)

  if (idOrUsername === undefined) return caller
  if (!caller) throw new Unauthenticated()
  if (!caller.user.isAdmin) throw new Forbidden('Must be admin to use sudo')
  if (caller.by.kind !== 'token' && caller.by.kind !== 'oauth') {
    throw new Forbidden('Must be authenticated using an OAuth or personal access token to use sudo')
  }
  if (!caller.scopes.includes('sudo')) throw new InsufficientScope(['sudo'])

  const user = await findUser(em, idOrUsername)

  if (!user) throw new NotFound(`User with ID or username '${idOrUsername}'`)
  if (!user.isActive()) throw new Forbidden('The user to act as has been blocked')
  if (user.id === caller.user.id) return caller

  return { ...caller, user, sudoer: caller.user }
}

/** An empty value is an unknown user, so that the request does not run as the admin by mistake. */
function readSudo({ query, headers, body }: FastifyRequest) {
  const sudo = (query as Sudo).sudo ?? headers.sudo ?? (body as Sudo | undefined)?.sudo

  return sudo === undefined || sudo === null ? undefined : typeof sudo === 'object' ? '' : String(sudo)
}

interface Sudo {
  sudo?: unknown
}
