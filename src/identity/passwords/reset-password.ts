import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { KeySource } from '#platform/database/encryption.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashPassword } from '../secrets.ts'
import { Session } from '../sessions/session.ts'
import { withLockedUser } from '../users/find-user.ts'
import { clearFailures } from '../users/lock.ts'
import { findByPasswordToken, isPasswordToken } from './password-link.ts'

interface Reset {
  token: string
  password: string
}

/**
 * Sets the password of the user whom a link is for, and ends all their sessions. The link proves that they read the mail of their
 * address, so it confirms that and ends a lock. Undefined when the link is wrong, expired or used, such as the second time.
 */
export async function resetPassword(
  em: EntityManager,
  source: KeySource,
  { token, password }: Reset,
  { ip, at }: { ip: string; at: Date }
) {
  const found = await findByPasswordToken(em, source, token, at)

  if (!found) return undefined
  const hash = await hashPassword(password)

  return withLockedUser(em, found, async (em, user) => {
    if (!(await isPasswordToken(source, user, token, at))) return undefined
    user.setPassword(hash)
    user.confirmedAt ??= at
    clearFailures(user)
    await em.nativeDelete(Session, { user: user.id })
    recordUserEvent(em, { user, ip }, user, 'password_reset')
    await addMail(em, { kind: 'password.changed', subjectId: user.id })

    return user
  })
}
