import type { Actor } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { verifyPassword } from '../secrets.ts'
import { withLockedUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import type { AccountContext } from './sessions.ts'

/** Checks the password of a signed-in user. Failures count as failed sign-ins, so that a stolen session cannot guess it. */
export async function confirmPassword(em: EntityManager, { user, actor, at }: AccountContext, password: string) {
  const isValid = await verifyPassword(password, user.passwordHash)

  if (!isValid) await recordFailedSignIn(em, user, actor, at)

  return isValid && !user.isLocked(at)
}

/** Counts a wrong password or code under a row lock, so that concurrent attempts are all counted. */
export async function recordFailedSignIn(em: EntityManager, user: User, actor: Actor, at: Date, details?: Record<string, unknown>) {
  await withLockedUser(em, user, async (em, user) => {
    const isNowLocked = user.countFailedSignIn(at)

    recordUserEvent(em, actor, user, 'user_sign_in_failed', details)
    if (isNowLocked) recordUserEvent(em, actor, user, 'user_locked')
  })
}
