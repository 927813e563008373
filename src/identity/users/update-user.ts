import type { Actor } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { hashPassword } from '../secrets.ts'
import { Session } from '../sessions/session.ts'
import { getUser } from './find-user.ts'
import { refuseTaken } from './refuse-taken.ts'
import { renameUser } from './rename-user.ts'
import { keepAnAdmin } from './require-an-admin.ts'
import type { User } from './user.ts'
import { checkAttributes, readAttributes, type UserAttributes } from './user-attributes.ts'

/** Changes what is given of a user, and nothing else. */
export async function updateUser(em: EntityManager, actor: Actor, id: number, wanted: UserAttributes) {
  const passwordHash = wanted.password && (await hashPassword(wanted.password))

  return em
    .transactional(async em => {
      const user = await getUser(em, id)
      const attributes = withPublicEmail(user, readAttributes(wanted))
      const changes = changesOf(user, attributes)

      const { email, websiteUrl, publicEmail, username, name } = { ...user, ...attributes }

      checkAttributes(wanted, { email, websiteUrl, publicEmail })
      if (changes.isAdmin) await keepAnAdmin(em, user, 'demoted')
      if (changes.username || changes.name) await renameUser(em, user, { username, name })
      if (passwordHash) await setPassword(em, actor, user, passwordHash)
      em.assign(user, attributes)
      if (Object.keys(changes).length > 0 || passwordHash) {
        recordOf(em, actor, user, 'user_updated', { changes, ...(passwordHash && { password_changed: true }) })
      }

      return user
    })
    .catch(refuseTaken)
}

/** An address that is no longer theirs is not shown as theirs. */
function withPublicEmail(user: User, attributes: Partial<User>): Partial<User> {
  const isStale = attributes.email && attributes.publicEmail === undefined && user.publicEmail && user.publicEmail !== attributes.email

  return isStale ? { ...attributes, publicEmail: '' } : attributes
}

function changesOf(user: User, attributes: Partial<User>): Record<string, { from: unknown; to: unknown }> {
  const changed = Object.entries(attributes).filter(([field, value]) => user[field as keyof User] !== value)

  return Object.fromEntries(changed.map(([field, value]) => [field, { from: user[field as keyof User], to: value }]))
}

/** Whoever was signed in with the former one is out; a password that somebody else chose is replaced at the next sign-in. */
async function setPassword(em: EntityManager, actor: Actor, user: User, hash: string) {
  user.setPassword(hash, { isOneTime: actor.user?.id !== user.id })
  await em.nativeDelete(Session, { user: user.id })
}
