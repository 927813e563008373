import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashPassword, verifyPassword } from '../secrets.ts'
import { confirmPassword } from './confirm-password.ts'
import { type AccountContext, revokeOtherSessions } from './sessions.ts'

/** False when the current password is wrong or the account is locked. */
export async function changePassword(em: EntityManager, account: AccountContext, current: string, password: string) {
  if (!(await confirmPassword(em, account, current))) return false
  await setPassword(em, account, password)

  return true
}

/** Does not take the current password, so it is allowed only while the user still has a one-time password. */
export async function replaceOneTimePassword(em: EntityManager, account: AccountContext, password: string) {
  const { mustChangePassword, passwordHash } = account.user

  if (!mustChangePassword) return 'not-required'
  if (await verifyPassword(password, passwordHash)) return 'unchanged'
  await setPassword(em, account, password)

  return 'changed'
}

async function setPassword(em: EntityManager, account: AccountContext, password: string) {
  const { user, actor } = account
  const hash = await hashPassword(password)

  await em.transactional(async em => {
    user.setPassword(hash)
    recordUserEvent(em, actor, user, 'password_changed')
    await revokeOtherSessions(em, account)
  })
}
