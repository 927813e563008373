import type { EntityManager } from '#platform/database/database.ts'
import { lockKey } from '#platform/database/locks.ts'

interface Parties {
  user?: { id: number }
  application?: { id: number } | null | undefined
}

/**
 * Keeps a user and an application from being deleted; false when one was. Called before codes, consents or grants are locked
 * or created: a deletion locks them in this order, too (user, application, consents, grants, tokens), so that two transactions
 * never wait for each other.
 */
export async function lockParties(em: EntityManager, { user, application }: Parties) {
  if (user && !(await lockKey(em, 'users', user.id))) return false

  return !application || lockKey(em, 'oauth_applications', application.id)
}
