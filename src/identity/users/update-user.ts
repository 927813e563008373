import type { Actor } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { lockPaths } from '#namespaces/paths.ts'
import { moveNamespace } from '#namespaces/rename-namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { ownsEmail } from '../emails/claim-email.ts'
import { changePrimaryEmail } from '../emails/primary-email.ts'
import { publishUserEvent, recordUserEvent } from '../record-user-event.ts'
import { hashPassword } from '../secrets.ts'
import { Session } from '../sessions/session.ts'
import { getAccount } from './find-user.ts'
import { requireAnotherAdmin } from './require-another-admin.ts'
import type { User } from './user.ts'
import type { UserAttributes } from './user-attribute-schemas.ts'
import { checkAttributes, ForeignEmail, readAttributes } from './user-attributes.ts'
import { checkUsername, rethrowTaken } from './username.ts'

export interface UserChange extends UserAttributes {
  /** Whether a new address counts as confirmed. */
  isConfirmed?: boolean
}

/** Changes only the attributes that are given. */
export async function updateUser(em: EntityManager, actor: Actor, id: number, input: UserChange) {
  const passwordHash = input.password && (await hashPassword(input.password))

  return em
    .transactional(async em => {
      const user = await getAccount(em, id)

      if (input.username !== undefined) await lockPaths(em)
      if (input.admin === false) await requireAnotherAdmin(em, user, 'demoted')
      await lockForChange(em, user)
      const attributes = resetPublicEmail(user, readAttributes(input))
      const changes = changesOf(user, attributes)
      const { email, websiteUrl, username, name } = { ...user, ...attributes }

      checkAttributes(input, { username, name, email, websiteUrl })
      if (changes.email) await changePrimaryEmail(em, user, email, input.isConfirmed ? new Date() : null)
      if (attributes.publicEmail && !(await ownsEmail(em, user, attributes.publicEmail))) throw new ForeignEmail()
      if (changes.username && user.isBot()) throw new ValidationFailed({ username: ['of a bot cannot be changed'] })
      if ((changes.username || changes.name) && !user.isBot()) await updateNamespace(em, user, { username, name })
      if (passwordHash) await setPassword(em, actor, user, passwordHash)
      em.assign(user, attributes)
      if (Object.keys(changes).length > 0 || passwordHash) {
        const details = { changes, ...(passwordHash && { password_changed: true }) }

        if (changes.username) await publishUserEvent(em, actor, user, 'user_updated', details)
        else recordUserEvent(em, actor, user, 'user_updated', details)
      }

      return user
    })
    .catch(rethrowTaken)
}

/** The public e-mail must be the user's own, so a new e-mail clears the former public one. */
function resetPublicEmail(user: User, attributes: Partial<User>): Partial<User> {
  const isStale = attributes.email && attributes.publicEmail === undefined && user.publicEmail && user.publicEmail !== attributes.email

  return isStale ? { ...attributes, publicEmail: '' } : attributes
}

function changesOf(user: User, attributes: Partial<User>): Record<string, { from: unknown; to: unknown }> {
  const changed = Object.entries(attributes).filter(([property, value]) => user[property as keyof User] !== value)

  return Object.fromEntries(changed.map(([property, value]) => [property, { from: user[property as keyof User], to: value }]))
}

/** The personal namespace, which bots do not have, has the user's name and path. The former paths of its projects redirect. */
async function updateNamespace(em: EntityManager, user: User, { username, name }: { username: string; name: string }) {
  const namespace = await em.findOneOrFail(Namespace, { ownerId: user.id, kind: 'user' })

  namespace.name = name
  if (username === user.username) return
  checkUsername(username)
  await moveNamespace(em, namespace, { path: username })
}

/** Ends all sessions of the user. A password set by another user is a one-time password. */
async function setPassword(em: EntityManager, actor: Actor, user: User, hash: string) {
  user.setPassword(hash, { isOneTime: actor.user?.id !== user.id })
  await em.nativeDelete(Session, { user: user.id })
}
