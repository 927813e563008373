import { LockMode } from '@mikro-orm/core'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { User, type UserState } from './user.ts'

/** At least one active admin must remain. Locks all admins, so that two concurrent changes cannot remove the last two. */
export async function requireAnotherAdmin(em: EntityManager, user: User, change: UserState | 'deleted' | 'demoted') {
  if (!user.isAdmin || !user.isActive()) return
  const admins = await em.find(
    User,
    { isAdmin: true, state: 'active' },
    { fields: ['id'], orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE }
  )

  if (admins.every(admin => admin.id === user.id)) throw new Rejected(`The last admin cannot be ${change}`)
}
