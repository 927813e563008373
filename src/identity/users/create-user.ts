import type { RequiredEntityData } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { deleteStaleRedirects } from '#namespaces/path-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { claimEmail } from '../emails/claim-email.ts'
import { publishUserEvent } from '../record-user-event.ts'
import { hashPassword } from '../secrets.ts'
import { User } from './user.ts'
import type { UserAttributes } from './user-attribute-schemas.ts'
import { checkAttributes, ForeignEmail, readAttributes } from './user-attributes.ts'
import { checkUsername, EmailTaken, rethrowTaken } from './username.ts'

export interface NewUser extends UserAttributes {
  email: string
  username: string
  name: string
  force_random_password?: boolean
  reset_password?: boolean
  isConfirmed: boolean
  /** An admin has to approve the user. */
  isPending?: boolean
}

/** Creates a user with a personal namespace. A user without a password cannot sign in until an admin sets one. */
export async function createUser(em: EntityManager, actor: Actor, input: NewUser) {
  const { email, username, name, password } = input
  const confirmedAt = input.isConfirmed ? new Date() : null
  const state = input.isPending ? ('blocked_pending_approval' as const) : ('active' as const)
  const attributes = { ...readAttributes(input), email, username, name, confirmedAt, state }
  const isWithoutPassword = input.force_random_password || input.reset_password

  if (!password && !isWithoutPassword) {
    throw new InvalidInput('password, reset_password, force_random_password are missing, at least one parameter must be provided')
  }
  checkUsername(username)
  checkAttributes(input, attributes)
  if (input.public_email && input.public_email !== email) throw new ForeignEmail()
  const passwordHash = isWithoutPassword ? null : await hashPassword(password!)

  return em
    .transactional(async em => {
      if (!(await claimEmail(em, email))) throw new EmailTaken()
      const { defaultProjectsLimit: projectsLimit, canCreateGroup } = await readInstanceSettings(em)
      const user = await insertUser(em, { projectsLimit, canCreateGroup, ...attributes, passwordHash })

      await deleteStaleRedirects(em, [username])
      await publishUserEvent(em, actor, user, 'user_created', { email, admin: user.isAdmin })

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
