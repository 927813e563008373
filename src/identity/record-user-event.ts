import { type Actor, publishAuditEvent, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { User } from './users/user.ts'

/** Records an audit event about a user account. */
export function recordUserEvent(em: EntityManager, actor: Actor, user: User, name: string, details?: Record<string, unknown>) {
  recordAuditEvent(em, actor, { name, entity: audited(user), details })
}

/** Publishes an event for webhooks. */
export function publishUserEvent(em: EntityManager, actor: Actor, user: User, name: string, details?: Record<string, unknown>) {
  return publishAuditEvent(em, actor, { name, entity: audited(user), details })
}

function audited({ id, username }: User) {
  return { type: 'User', id, path: username } as const
}
