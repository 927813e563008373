import { LockMode, sql } from '@mikro-orm/core'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { User } from './user.ts'

/** Finds a user by id or by username, ignoring case. */
export async function findUser(em: EntityManager, idOrUsername: string) {
  if (idOrUsername.includes('\0')) return null

  return em.findOne(
    User,
    /^\d{1,15}$/.test(idOrUsername) ? { id: Number(idOrUsername) } : { [sql.lower('username')]: idOrUsername.toLowerCase() }
  )
}

export async function resolveUser(em: EntityManager, idOrUsername: string) {
  const user = await findUser(em, idOrUsername)

  if (!user) throw new NotFound('User')

  return user
}

/**
 * By username or e-mail address. A username takes precedence over another user's address. One query, so that its time does not
 * tell them apart.
 */
export async function findByLogin(em: EntityManager, typed: string) {
  const login = typed.trim().toLowerCase()
  const users = await em.find(User, { $or: [{ [sql.lower('username')]: login }, { [sql.lower('email')]: login }] })

  return users.find(({ username }) => username.toLowerCase() === login) ?? users[0]
}

export async function getUser(em: EntityManager, id: number) {
  const user = await em.findOne(User, { id })

  if (!user) throw new NotFound('User')

  return user
}

/** A user that admins may change. */
export async function getAccount(em: EntityManager, id: number) {
  const user = await getUser(em, id)

  if (user.kind === 'ghost') throw new Forbidden('The ghost user cannot be changed')

  return user
}

/** Runs a change in a transaction that locks and reloads the user. */
export function withLockedUser<T>(em: EntityManager, { id }: User, change: (em: EntityManager, user: User) => Promise<T>) {
  return em.transactional(async em => {
    const user = await em.findOneOrFail(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

    return change(em, user)
  })
}
