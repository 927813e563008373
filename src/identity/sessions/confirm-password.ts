import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { verifyPassword } from '../secrets.ts'
import { isLockedOut, recordFailedSignIn } from './lockout.ts'
import type { AccountContext } from './sessions.ts'

/** Checks the password of a signed-in user. Failures count as failed sign-ins, so that a stolen session cannot guess it. */
export async function confirmPassword(em: EntityManager, account: AccountContext, password: string) {
  const isValid = await verifyPassword(password, account.user.passwordHash)

  if (!isValid) await recordFailedSignIn(em, account)
  if (!isValid || (await isLockedOut(em, account))) throw new WrongPassword()
}

class WrongPassword extends ValidationFailed {
  override code = 'wrong_password'

  constructor() {
    super({ current: ['the password is wrong, or this browser is locked for 10 minutes after too many failed attempts'] })
  }
}
