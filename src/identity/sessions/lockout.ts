import { type EntityManager, query } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { isPassword } from '../secrets.ts'
import type { User } from '../users/user.ts'

const mostFailures = 10
const lockedMs = 10 * 60_000

export function isLocked(user: User, at: Date) {
  return Boolean(user.lockedUntil && user.lockedUntil > at)
}

/**
 * Counts a wrong password or code; the tenth in a row locks the account for a while. One statement counts, so that
 * failures at the same time are all counted. What comes while it is locked does not make that longer.
 */
export async function countFailure(em: EntityManager, user: User, from: { ip: string }, at: Date, details?: Record<string, unknown>) {
  await em.transactional(async em => {
    const [counted] = await query<{ isLocked: boolean }>(
      em,
      `UPDATE users SET
         failed_sign_ins = CASE WHEN failed_sign_ins + 1 < $2 THEN failed_sign_ins + 1 ELSE 0 END,
         locked_until = CASE WHEN failed_sign_ins + 1 < $2 THEN NULL ELSE $4::timestamptz END
       WHERE id = $1 AND (locked_until IS NULL OR locked_until <= $3)
       RETURNING locked_until IS NOT NULL AS "isLocked"`,
      [user.id, mostFailures, at, new Date(at.getTime() + lockedMs)]
    )

    recordOf(em, from, user, 'user_sign_in_failed', details)
    if (counted?.isLocked) recordOf(em, from, user, 'user_locked')
  })
}

/** Forgets the failures and notes the sign-in; false when the account was locked or blocked in the meantime. */
export async function noteSignIn(em: EntityManager, user: User, at: Date) {
  const noted = await query(
    em,
    `UPDATE users SET failed_sign_ins = 0, locked_until = NULL, last_sign_in_at = current_sign_in_at, current_sign_in_at = $2
     WHERE id = $1 AND state = 'active' AND (locked_until IS NULL OR locked_until <= $2)
     RETURNING id`,
    [user.id, at]
  )

  return noted.length > 0
}

/** Whether somebody who is signed in knows the password too. Guesses count like those at the door. */
export async function confirmPassword(em: EntityManager, user: User, password: string, from: { ip: string }, at: Date) {
  const fits = await isPassword(password, user.passwordHash)

  if (!fits) await countFailure(em, user, from, at)

  return fits && !isLocked(user, at)
}
