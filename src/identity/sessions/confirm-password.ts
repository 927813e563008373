import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { verifyPassword } from '../secrets.ts'
import { isLockedOut, recordFailedSignIn } from './lockout.ts'
import { type AccountContext, findSession } from './sessions.ts'

const recentMs = 10 * 60_000

/**
 * Checks the password of a signed-in user. Failures count as failed sign-ins, so that a stolen session cannot guess it. Who has
 * no password, because they sign in elsewhere, must have signed in recently.
 */
export async function confirmPassword(em: EntityManager, account: AccountContext, password: string) {
  if (!account.user.passwordHash) {
    if (await hasSignedInRecently(em, account)) return
    throw new SignInAgain()
  }
  const isValid = await verifyPassword(password, account.user.passwordHash)

  if (!isValid) await recordFailedSignIn(em, account)
  if (!isValid || (await isLockedOut(em, account))) throw new WrongPassword()
}

export async function hasSignedInRecently(em: EntityManager, { session: secret, at }: AccountContext) {
  const session = await findSession(em, secret, at)

  return session !== null && at.getTime() - session.createdAt.getTime() < recentMs
}

class SignInAgain extends ValidationFailed {
  override code = 'sign_in_again'

  constructor() {
    super({ current: ['sign in again first: it was more than 10 minutes ago'] })
  }
}

class WrongPassword extends ValidationFailed {
  override code = 'wrong_password'

  constructor() {
    super({ current: ['the password is wrong, or this browser is locked for 10 minutes after too many failed attempts'] })
  }
}
