import type { EntityManager } from '../../platform/database/database.ts'
import { Session } from './session.ts'

/** They let nobody in any more. */
export function removeExpiredSessions(em: EntityManager, at: Date) {
  return em.nativeDelete(Session, { expiresAt: { $lt: at } })
}
