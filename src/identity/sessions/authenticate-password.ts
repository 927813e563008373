import Type from 'typebox'
import type { EntityManager } from '#platform/database/database.ts'
import { verifyPassword } from '../secrets.ts'
import { findByLogin } from '../users/find-user.ts'
import { isLockedOut, recordFailedSignIn, recordUnknownSignIn } from './lockout.ts'
import type { Client } from './sessions.ts'

export const Login = Type.Object({
  /** A username or an e-mail address. */
  login: Type.String(),
  password: Type.String()
})
export type Login = Type.Static<typeof Login>

/**
 * Finds the user with this password, and counts the failure when there is none. `invalid` does not reveal whether the user
 * exists or what was wrong; only a user who knows the password learns of `blocked` and `pending`.
 */
export async function authenticatePassword(em: EntityManager, { login, password }: Login, { ip, device }: Client, at: Date) {
  const user = await findByLogin(em, login)
  const isValid = await verifyPassword(password, user?.passwordHash)

  if (!user) {
    await recordUnknownSignIn(em, { ip })
    return 'invalid'
  }
  const attempt = { user, actor: { ip }, device, at }

  if (!isValid) {
    await recordFailedSignIn(em, attempt)
    return 'invalid'
  }
  if (user.isBot() || (await isLockedOut(em, attempt))) return 'invalid'

  return user.maySignIn() ? user : user.isPending() ? 'pending' : 'blocked'
}
