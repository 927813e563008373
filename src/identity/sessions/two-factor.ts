import type { Actor } from '#audit/record-audit-event.ts'
import { Forbidden, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Passkey } from '../passkeys/passkey.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { getAccount, withLockedUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { confirmPassword } from './confirm-password.ts'
import { consumeRecoveryCode, deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { type AccountContext, revokeOtherSessions } from './sessions.ts'
import { findTimeStep, newTotpSecret } from './totp.ts'

/** Creates the secret for an authenticator app. Sign-in asks for codes once one was confirmed. */
export async function beginTwoFactor(em: EntityManager, account: AccountContext, password: string) {
  await confirmPassword(em, account, password)
  await withLockedUser(em, account.user, async (_em, user) => {
    if (!user.totpEnabledAt) user.totpSecret = newTotpSecret()
  })
}

/**
 * Undefined unless it was begun and is not yet enabled. If it is the first second factor, sessions that were opened without one end,
 * and it returns recovery codes.
 */
export async function enableTwoFactor(em: EntityManager, account: AccountContext, code: string) {
  const { actor, at } = account

  return withLockedUser(em, account.user, async (em, user) => {
    if (user.totpEnabledAt || !user.totpSecret) return undefined
    if (!acceptTotp(user, code, at)) throw new ValidationFailed({ code: ['the code is wrong. Check your device’s clock'] })
    const isFirst = !user.hasTwoFactor()

    user.totpEnabledAt = at
    recordUserEvent(em, actor, user, 'two_factor_enabled')
    if (!isFirst) return []
    await revokeOtherSessions(em, account)

    return replaceRecoveryCodes(em, user)
  })
}

/** Passkeys stay. Disabling it twice changes nothing the second time. */
export async function disableTwoFactor(em: EntityManager, account: AccountContext, password: string) {
  if (!account.user.totpEnabledAt) return
  await confirmPassword(em, account, password)
  await withLockedUser(em, account.user, async (em, user) => {
    if (!user.totpEnabledAt) return
    user.disableTotp()
    if (!user.hasTwoFactor()) await deleteRecoveryCodes(em, user)
    recordUserEvent(em, account.actor, user, 'two_factor_disabled')
  })
}

/** For an admin, when a user has lost the second factor: removes passkeys as well. Removing it twice changes nothing the second time. */
export async function removeTwoFactor(em: EntityManager, actor: Actor, id: number) {
  const account = await getAccount(em, id)

  if (account.id === actor.user?.id) throw new Forbidden('Turn off your own second factor in your settings')
  await withLockedUser(em, account, async (em, user) => {
    if (!user.hasTwoFactor()) return
    user.disableTotp()
    user.passkeyCount = 0
    await em.nativeDelete(Passkey, { user: user.id })
    await deleteRecoveryCodes(em, user)
    recordUserEvent(em, actor, user, 'two_factor_disabled')
  })
}

/** Replaces the recovery codes; undefined when two-factor authentication is off. */
export async function renewRecoveryCodes(em: EntityManager, account: AccountContext, password: string) {
  await confirmPassword(em, account, password)

  return withLockedUser(em, account.user, async (em, user) => {
    if (!user.hasTwoFactor()) return undefined
    recordUserEvent(em, account.actor, user, 'recovery_codes_renewed')

    return replaceRecoveryCodes(em, user)
  })
}

/** Consumes a TOTP code or a recovery code. Each works once, also when it is sent twice at the same time. */
export async function verifySecondFactor(em: EntityManager, user: User, code: string, at: Date) {
  return withLockedUser(em, user, async (em, user) => {
    if (acceptTotp(user, code, at)) return 'code'

    return (await consumeRecoveryCode(em, user, code)) ? 'recovery code' : undefined
  })
}

function acceptTotp(user: User, code: string, at: Date) {
  const step = user.totpSecret ? findTimeStep(Buffer.from(user.totpSecret), code, at) : undefined

  return step !== undefined && user.acceptTotpStep(step)
}
