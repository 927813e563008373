import type { EntityManager } from '#platform/database/database.ts'
import type { OAuthError } from '../errors.ts'

/**
 * Runs an exchange in a transaction. A refusal is returned, not thrown, so that it commits: what was revoked because a
 * code or token was replayed stays revoked.
 */
export async function commitRefusal<T extends object>(em: EntityManager, exchange: (em: EntityManager) => Promise<T | OAuthError>) {
  const outcome = await em.transactional(exchange)

  if (outcome instanceof Error) throw outcome

  return outcome
}
