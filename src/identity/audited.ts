import { type Actor, record } from '../audit/record.ts'
import type { EntityManager } from '../platform/database.ts'
import type { User } from './user.ts'

/** Notes what happened to somebody's account. */
export function recordOf(em: EntityManager, actor: Actor, user: User, name: string, details?: Record<string, unknown>) {
  record(em, actor, { name, entity: { type: 'User', id: user.id, path: user.username }, details })
}
