import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { User } from './users/user.ts'

/** Records an audit event about a user account. */
export function recordUserEvent(em: EntityManager, actor: Actor, user: User, name: string, details?: Record<string, unknown>) {
  recordAuditEvent(em, actor, { name, entity: { type: 'User', id: user.id, path: user.username }, details })
}
