import { randomBytes } from 'node:crypto'
import type { EntityManager } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import { User } from './user.ts'

/** The user that stands for all deleted authors. Within a transaction. */
export async function findOrCreateGhost(em: EntityManager) {
  await lockTransaction(em, 'ghost user')

  return (await em.findOne(User, { kind: 'ghost' })) ?? createGhost(em)
}

async function createGhost(em: EntityManager) {
  // The name is reserved, but may be in use since an earlier version.
  const isTaken = (await em.count(User, { username: { $ilike: 'ghost' } })) > 0
  const username = isTaken ? `ghost-${randomBytes(4).toString('hex')}` : 'ghost'
  const ghost = em.create(User, {
    kind: 'ghost',
    state: 'blocked',
    username,
    name: 'Ghost User',
    email: `${username}@noreply.invalid`,
    canCreateGroup: false,
    isExternal: true
  })

  await em.flush()

  return ghost
}
