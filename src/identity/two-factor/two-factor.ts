import type { Actor } from '../../audit/record-audit-event.ts'
import { byteaArray, type EntityManager, query } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { hashSecret, newPassword } from '../secrets.ts'
import { revokeOtherSessions } from '../sessions/sessions.ts'
import type { User } from '../users/user.ts'
import { newTotpSecret, stepOfCode } from './totp.ts'

/** Makes the secret that an authenticator is to learn. Nothing is asked for at sign-in until a code of it was given. */
export async function beginTwoFactor(em: EntityManager, user: User) {
  await query(em, 'UPDATE users SET totp_secret = $2 WHERE id = $1 AND totp_enabled_at IS NULL', [user.id, newTotpSecret()])
}

/** Turns it on and ends the sessions that did without; answers with the recovery codes, or nothing when the code is wrong. */
export async function enableTwoFactor(em: EntityManager, user: User, code: string, keep: string, actor: Actor, at: Date) {
  const secret = user.totpSecret && Buffer.from(user.totpSecret)
  const step = secret ? stepOfCode(secret, code, at) : undefined

  if (step === undefined) return undefined
  const codes = newRecoveryCodes()

  return em.transactional(async em => {
    const enabled = await query(
      em,
      `UPDATE users SET totp_enabled_at = $2, totp_last_step = $3, recovery_codes = $4
       WHERE id = $1 AND totp_enabled_at IS NULL AND totp_secret = $5 RETURNING id`,
      [user.id, at, step, byteaArray(codes.map(hashCode)), secret]
    )

    if (enabled.length === 0) return undefined
    recordOf(em, actor, user, 'two_factor_enabled')
    await revokeOtherSessions(em, user, keep, actor)

    return codes
  })
}

export async function disableTwoFactor(em: EntityManager, user: User, actor: Actor) {
  await em.transactional(async em => {
    const disabled = await query(
      em,
      `UPDATE users SET totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL, recovery_codes = '{}'
       WHERE id = $1 AND totp_enabled_at IS NOT NULL RETURNING id`,
      [user.id]
    )

    if (disabled.length > 0) recordOf(em, actor, user, 'two_factor_disabled')
  })
}

/** Takes the place of those there were. */
export async function renewRecoveryCodes(em: EntityManager, user: User, actor: Actor) {
  const codes = newRecoveryCodes()

  await em.transactional(async em => {
    await query(em, 'UPDATE users SET recovery_codes = $2 WHERE id = $1 AND totp_enabled_at IS NOT NULL', [
      user.id,
      byteaArray(codes.map(hashCode))
    ])
    recordOf(em, actor, user, 'recovery_codes_renewed')
  })

  return codes
}

export async function countRecoveryCodes(em: EntityManager, user: User) {
  const [row] = await query<{ left: number }>(em, 'SELECT cardinality(recovery_codes) AS left FROM users WHERE id = $1', [user.id])

  return row?.left ?? 0
}

/** Uses up a code. Each is good once, also for two who come at the same moment: the statement that takes it decides. */
export async function takeCode(em: EntityManager, user: User, code: string, at: Date) {
  if (await takeTotp(em, user, code, at)) return 'code'
  if (await takeRecoveryCode(em, user, code)) return 'recovery code'

  return undefined
}

async function takeTotp(em: EntityManager, user: User, code: string, at: Date) {
  const step = user.totpSecret ? stepOfCode(Buffer.from(user.totpSecret), code, at) : undefined

  if (step === undefined) return false
  const taken = await query(
    em,
    'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2) RETURNING id',
    [user.id, step]
  )

  return taken.length > 0
}

async function takeRecoveryCode(em: EntityManager, user: User, code: string) {
  const taken = await query(
    em,
    'UPDATE users SET recovery_codes = array_remove(recovery_codes, $2::bytea) WHERE id = $1 AND $2::bytea = ANY(recovery_codes) RETURNING id',
    [user.id, hashCode(code)]
  )

  return taken.length > 0
}

function newRecoveryCodes() {
  return Array.from({ length: 10 }, newPassword)
}

/** However it was typed. */
function hashCode(code: string) {
  return hashSecret(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
