import { LockMode } from '@mikro-orm/core'
import { BadRequest } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { User } from './user.ts'

/** Somebody must be left who can let others in. Locks the admins, so that two cannot put out each other. */
export async function keepAnAdmin(em: EntityManager, user: User, fate: 'blocked' | 'deleted' | 'demoted') {
  if (!user.isAdmin || !user.isActive()) return
  const admins = await em.find(
    User,
    { isAdmin: true, state: 'active' },
    { fields: ['id'], orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE }
  )

  if (admins.every(admin => admin.id === user.id)) throw new BadRequest(`The last admin cannot be ${fate}`)
}
