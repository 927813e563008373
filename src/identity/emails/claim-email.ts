import { sql } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import { User } from '../users/user.ts'
import { UserEmail } from './user-email.ts'

/**
 * False when an address belongs to a user already, other than the given one. Serialises claims of an address until the
 * transaction ends, because no index covers both tables.
 */
export async function claimEmail(em: EntityManager, email: string, userId?: number) {
  await lockTransaction(em, `email ${email.toLowerCase()}`)
  const where = { [sql.lower('email')]: email.toLowerCase() }
  const primary = await em.findOne(User, where, { fields: ['id'] })
  const other = await em.findOne(UserEmail, where)

  return [primary?.id, other?.userId].every(owner => owner === undefined || owner === userId)
}

/** Whether an address is the user's primary one, or another that was confirmed. */
export async function ownsEmail(em: EntityManager, user: { id: number; email: string }, email: string) {
  if (email === user.email) return true

  return (await em.count(UserEmail, { userId: user.id, email, confirmedAt: { $ne: null } })) > 0
}

/** The user who has confirmed an address, as the primary or another one. */
export async function findByConfirmedEmail(em: EntityManager, email: string) {
  const where = { [sql.lower('email')]: email.toLowerCase(), confirmedAt: { $ne: null } }
  const user = await em.findOne(User, where)
  const other = user ? null : await em.findOne(UserEmail, where)

  return user ?? (other && em.findOne(User, { id: other.userId }))
}
