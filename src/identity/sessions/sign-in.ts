import type { Actor } from '../../audit/record-audit-event.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { hashPassword, hashSecret, isPassword } from '../secrets.ts'
import { takeCode } from '../two-factor/two-factor.ts'
import { User } from '../users/user.ts'
import { countFailure, isLocked, noteSignIn } from './lockout.ts'
import { Session } from './session.ts'
import { findHalfOpen, type Origin, revokeOtherSessions, startSession } from './sessions.ts'

export interface SignedIn {
  user: User
  /** For the cookie: a new one at every step, so that none from before is worth anything after. */
  secret: string
  /** The session is good for nothing but the second factor. */
  awaitsCode: boolean
}

/** `refused` says no more than that: not whether there is such a user, nor what was wrong. `blocked` is for who knows the password. */
export async function signIn(
  em: EntityManager,
  login: string,
  password: string,
  from: Origin,
  at: Date
): Promise<SignedIn | 'refused' | 'blocked'> {
  const user = await findByLogin(em, login)
  const fits = await isPassword(password, user?.passwordHash)

  if (!user) return 'refused'
  if (!fits) {
    await countFailure(em, user, from, at)
    return 'refused'
  }
  if (isLocked(user, at) || user.kind !== 'human') return 'refused'
  if (!user.isActive()) return 'blocked'
  if (!user.totpEnabledAt) return open(em, user, from, at)
  const secret = startSession(em, user, from, at, { awaitsCode: true })

  await em.flush()

  return { user, secret, awaitsCode: true }
}

/** The second step, with a code or a recovery code; `expired` when the first was too long ago. */
export async function signInWithCode(
  em: EntityManager,
  halfOpen: string,
  code: string,
  from: Origin,
  at: Date
): Promise<SignedIn | 'refused' | 'expired'> {
  const session = await findHalfOpen(em, halfOpen, at)

  if (!session?.user.isActive()) return 'expired'
  const { user } = session
  const means = isLocked(user, at) ? undefined : await takeCode(em, user, code, at)

  if (!means) {
    await countFailure(em, user, from, at, { with: 'code' })
    return 'refused'
  }
  await em.nativeDelete(Session, { id: session.id })

  return open(em, user, from, at, means)
}

export async function signOut(em: EntityManager, secret: string, from: Origin) {
  const session = await em.findOne(Session, { tokenHash: hashSecret(secret) }, { populate: ['user'] })

  if (!session) return
  em.remove(session)
  if (!session.awaitsCode) recordOf(em, { user: session.user, ip: from.ip }, session.user, 'user_signed_out')
  await em.flush()
}

/** Changes the password and ends every other session. */
export async function changePassword(em: EntityManager, user: User, password: string, keep: string, actor: Actor) {
  const hash = await hashPassword(password)

  await em.transactional(async em => {
    user.setPassword(hash)
    recordOf(em, actor, user, 'password_changed')
    await revokeOtherSessions(em, user, keep, actor)
  })
}

async function open(em: EntityManager, user: User, from: Origin, at: Date, means = 'password'): Promise<SignedIn | 'refused'> {
  return em.transactional(async em => {
    if (!(await noteSignIn(em, user, at))) return 'refused'
    const secret = startSession(em, user, from, at)

    recordOf(em, { user, ip: from.ip }, user, 'user_signed_in', { with: means })

    return { user, secret, awaitsCode: false }
  })
}

async function findByLogin(em: EntityManager, login: string) {
  const [found] = await query<{ id: string }>(
    em,
    'SELECT id FROM users WHERE lower(username) = lower($1) OR lower(email) = lower($1) ORDER BY lower(username) = lower($1) DESC LIMIT 1',
    [login.trim()]
  )

  return found && em.findOne(User, { id: Number(found.id) })
}
