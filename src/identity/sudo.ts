import type { FastifyRequest } from 'fastify'
import type { Caller } from '../http/guards/guards.ts'
import { Forbidden, InsufficientScope, NotFound, Unauthorized } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { findUser } from './users/find-user.ts'

/**
 * Puts the user an admin names in `sudo` in the admin's place. That scope stands for every other:
 * what may be done is what that user may.
 */
export async function actAs(em: EntityManager, request: FastifyRequest, caller: Caller | undefined): Promise<Caller | undefined> {
  const named = readSudo(request)

  if (named === undefined) return caller
  if (!caller) throw new Unauthorized()
  if (!caller.user.isAdmin) throw new Forbidden('Must be admin to use sudo')
  if (caller.by.kind !== 'token') throw new Forbidden('Must be authenticated using an OAuth or personal access token to use sudo')
  if (!caller.scopes.includes('sudo')) throw new InsufficientScope(['sudo'])

  const user = await findUser(em, named)

  if (!user) throw new NotFound(`User with ID or username '${named}'`)
  if (!user.isActive()) throw new Forbidden('The user to act as has been blocked')
  if (user.id === caller.user.id) return caller

  return { ...caller, user, sudoer: caller.user, scopes: 'all' }
}

/** Left empty, it still asks for somebody: to go on as the admin would do what was not meant. */
function readSudo({ query, headers }: FastifyRequest) {
  const named = (query as Record<string, unknown>).sudo ?? headers.sudo

  return named === undefined ? undefined : String(named)
}
