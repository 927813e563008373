import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashSecret } from '../secrets.ts'
import { withLockedUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { authenticatePassword, type Login } from './authenticate-password.ts'
import { recordEnd } from './impersonate.ts'
import { findKnownDevice, rememberDevice } from './known-device.ts'
import { admit, isLockedOut, recordFailedSignIn } from './lockout.ts'
import { Session } from './session.ts'
import { type Client, createSession, findSession } from './sessions.ts'
import { verifySecondFactor } from './two-factor.ts'

export interface SignedIn {
  user: User
  /** For the cookie. Each step creates a new one, so that an earlier secret is worthless (session fixation). */
  secret: string
  /** The session is valid only for the second factor. */
  awaitsCode: boolean
  /** For the cookie of a known browser. */
  device?: string
}

/** The first step. */
export async function signIn(
  em: EntityManager,
  config: Config,
  login: Login,
  client: Client,
  at: Date
): Promise<SignedIn | 'invalid' | 'blocked' | 'pending'> {
  const user = await authenticatePassword(em, login, client, at)

  return typeof user === 'string' ? user : passFirstStep(em, config, { user, client, at })
}

/** After a password, or a sign-in elsewhere, which nobody can guess: locks are not for it. */
export async function passFirstStep(em: EntityManager, config: Config, step: Completed): Promise<SignedIn | 'invalid'> {
  const { user, client, at } = step

  if (!user.hasTwoFactor()) return completeSignIn(em, config, step)
  const secret = createSession(em, config, { user, client, at, awaitsCode: true })

  await em.flush()

  return { user, secret, awaitsCode: true }
}

/** The second step, with a TOTP code or a recovery code; `expired` when the first step was too long ago. */
export async function signInWithCode(
  em: EntityManager,
  config: Config,
  { session: pendingSecret, code }: { session: string; code: string },
  client: Client,
  at: Date
): Promise<SignedIn | 'invalid' | 'expired'> {
  const pending = await findSession(em, pendingSecret, at, { awaitsCode: true })

  if (!pending?.user.maySignIn()) return 'expired'
  const { user } = pending
  const attempt = { user, actor: { ip: client.ip }, device: client.device, at }
  const factor = (await isLockedOut(em, attempt)) ? undefined : await verifySecondFactor(em, user, code, at)

  if (!factor) {
    await recordFailedSignIn(em, attempt, { with: 'code' })
    return 'invalid'
  }
  await em.remove(pending).flush()

  return completeSignIn(em, config, { user, client, at, factor })
}

export async function signOut(em: EntityManager, secret: string, { ip }: Client) {
  const session = await em.findOne(Session, { tokenHash: hashSecret(secret) }, { populate: ['user', 'impersonated'] })

  if (!session) return
  if (session.impersonated) recordEnd(em, session, ip)
  em.remove(session)
  if (!session.awaitsCode) recordUserEvent(em, { user: session.user, ip }, session.user, 'user_signed_out')
  await em.flush()
}

interface Completed {
  user: User
  client: Client
  at: Date
  factor?: string
  /** Whether too many failures before it keep the user out; true unless given. */
  isLockable?: boolean
}

/** `invalid` when the account was locked or blocked in the meantime. */
export async function completeSignIn(
  em: EntityManager,
  config: Config,
  { user, client, at, factor = 'password', isLockable = true }: Completed
) {
  return withLockedUser(em, user, async (em, user): Promise<SignedIn | 'invalid'> => {
    const { device: known } = client

    if (!user.maySignIn()) return 'invalid'
    if (isLockable && !(await admit(em, { user, actor: { ip: client.ip }, device: known, at }))) return 'invalid'
    if (!user.isActive()) recordUserEvent(em, { user, ip: client.ip }, user, 'user_activated')
    user.recordSignIn(at, client.ip)
    recordUserEvent(em, { user, ip: client.ip }, user, 'user_signed_in', { with: factor })
    const device = rememberDevice(em, user, await findKnownDevice(em, user, known), known, at)

    return { user, secret: createSession(em, config, { user, client, at }), awaitsCode: false, device }
  })
}
