import type { EntityManager } from '../platform/database.ts'
import { hashPassword, hashSecret, isPassword, newSecret } from './secrets.ts'
import { Session } from './session.ts'
import { User } from './user.ts'

const twoWeeks = 14 * 24 * 3600 * 1000

/** A new session's secret, or nothing when the name and password do not belong together. */
export async function signIn(em: EntityManager, login: string, password: string, from: { ip: string; userAgent?: string }, at: Date) {
  const name = login.trim().toLowerCase()
  const [user] = await em.find(
    User,
    { $or: [{ username: { $ilike: escapeLike(name) } }, { email: { $ilike: escapeLike(name) } }] },
    { limit: 1 }
  )
  const fits = await isPassword(password, user?.passwordHash)

  if (!fits || !user?.isActive()) return undefined
  const secret = newSecret()

  em.create(Session, {
    user,
    tokenHash: hashSecret(secret),
    ip: from.ip,
    userAgent: from.userAgent?.slice(0, 300),
    expiresAt: new Date(at.getTime() + twoWeeks)
  })
  await em.flush()

  return { secret, user }
}

export async function signOut(em: EntityManager, secret: string) {
  await em.nativeDelete(Session, { tokenHash: hashSecret(secret) })
}

/** Changes the password and ends every other session. */
export async function changePassword(em: EntityManager, user: User, password: string, keep: string) {
  user.setPassword(await hashPassword(password))
  await em.flush()
  await em.nativeDelete(Session, { user, tokenHash: { $ne: hashSecret(keep) } })
}

function escapeLike(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
