import type { RequiredEntityData } from '@mikro-orm/core'
import type { Actor } from '../../audit/record-audit-event.ts'
import { BadParameter } from '../../http/problems/problems.ts'
import { Namespace } from '../../namespaces/namespace.ts'
import { deleteStaleRedirects } from '../../namespaces/path-store.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashPassword } from '../secrets.ts'
import { User } from './user.ts'
import { checkAttributes, readAttributes, type UserAttributes } from './user-attributes.ts'
import { checkUsername, rethrowTaken } from './username.ts'

interface NewUser extends UserAttributes {
  email: string
  username: string
  name: string
  force_random_password?: boolean
  reset_password?: boolean
}

/** Creates a user with a personal namespace. A user without a password cannot sign in until an admin sets one. */
export async function createUser(em: EntityManager, actor: Actor, input: NewUser) {
  const { email, username, name, password } = input
  const attributes = { ...readAttributes(input), email, username, name }
  const isWithoutPassword = input.force_random_password || input.reset_password

  if (!password && !isWithoutPassword) {
    throw new BadParameter('password, reset_password, force_random_password are missing, at least one parameter must be provided')
  }
  checkUsername(username)
  checkAttributes(input, attributes)
  const passwordHash = isWithoutPassword ? null : await hashPassword(password!)

  return em
    .transactional(async em => {
      const user = await insertUser(em, { ...attributes, passwordHash })

      await deleteStaleRedirects(em, [username])
      recordUserEvent(em, actor, user, 'user_created', { email, admin: user.isAdmin })

      return user
    })
    .catch(rethrowTaken)
}

/** Inserts a user and the personal namespace. Within a transaction. */
export async function insertUser(em: EntityManager, attributes: RequiredEntityData<User>) {
  const user = em.create(User, attributes)

  await em.flush()
  em.create(Namespace, { kind: 'user', name: user.name, path: user.username, fullPath: user.username, ownerId: user.id })
  await em.flush()

  return user
}
