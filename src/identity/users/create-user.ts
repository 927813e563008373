import type { Actor } from '../../audit/record-audit-event.ts'
import { BadParameter } from '../../http/problems/problems.ts'
import { Namespace } from '../../namespaces/namespace.ts'
import { deleteStaleRedirects } from '../../namespaces/redirects.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { hashPassword } from '../secrets.ts'
import { refuseTaken } from './refuse-taken.ts'
import { User } from './user.ts'
import { checkAttributes, readAttributes, type UserAttributes } from './user-attributes.ts'
import { checkUsername } from './username.ts'

export interface NewUser extends UserAttributes {
  email: string
  username: string
  name: string
  force_random_password?: boolean
  reset_password?: boolean
}

/** Makes a user, and the space for the projects of their own. Without a password nobody can sign in as them until they get one. */
export async function createUser(em: EntityManager, actor: Actor, wanted: NewUser) {
  const attributes = { ...readAttributes(wanted), ...pick(wanted) }
  const isWithoutPassword = wanted.force_random_password || wanted.reset_password

  if (!wanted.password && !isWithoutPassword) {
    throw new BadParameter('password, reset_password, force_random_password are missing, at least one parameter must be provided')
  }
  checkUsername(wanted.username)
  checkAttributes(wanted, attributes)
  const passwordHash = isWithoutPassword ? null : await hashPassword(wanted.password!)

  return em
    .transactional(async em => {
      const user = em.create(User, { ...attributes, passwordHash })

      await em.flush()
      em.create(Namespace, { kind: 'user', name: user.name, path: user.username, fullPath: user.username, ownerId: user.id })
      await em.flush()
      await deleteStaleRedirects(em, [user.username])
      recordOf(em, actor, user, 'user_created', { email: user.email, admin: user.isAdmin })

      return user
    })
    .catch(refuseTaken)
}

function pick({ email, username, name }: NewUser) {
  return { email, username, name }
}
