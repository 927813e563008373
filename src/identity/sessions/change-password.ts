import { ValidationFailed } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashPassword, verifyPassword } from '../secrets.ts'
import { confirmPassword } from './confirm-password.ts'
import { type AccountContext, revokeOtherSessions } from './sessions.ts'

/** Takes the current password. */
export async function changePassword(em: EntityManager, account: AccountContext, current: string, password: string) {
  await confirmPassword(em, account, current)
  await setPassword(em, account, password)
}

/** Does not take the current password, so it is allowed only while the user still has a one-time password; false when they have none. */
export async function replaceOneTimePassword(em: EntityManager, account: AccountContext, password: string) {
  const { mustChangePassword, passwordHash } = account.user

  if (!mustChangePassword) return false
  if (await verifyPassword(password, passwordHash)) {
    throw new ValidationFailed({ password: ['choose a password other than the one-time password'] })
  }
  await setPassword(em, account, password)

  return true
}

async function setPassword(em: EntityManager, account: AccountContext, password: string) {
  const { user, actor } = account
  const hash = await hashPassword(password)

  await em.transactional(async em => {
    user.setPassword(hash)
    recordUserEvent(em, actor, user, 'password_changed')
    await revokeOtherSessions(em, account)
    await addMail(em, { kind: 'password.changed', subjectId: user.id })
  })
}
