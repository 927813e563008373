import type { Actor } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { User } from '../users/user.ts'
import { Session } from './session.ts'

/** The browser that somebody signs in with. */
export interface Origin {
  ip: string
  userAgent?: string
}

export const sessionSeconds = 14 * 24 * 3600
const codeSeconds = 10 * 60

/** Joins the unit of work at hand. The secret is for the cookie. */
export function startSession(em: EntityManager, user: User, { ip, userAgent }: Origin, at: Date, { awaitsCode = false } = {}) {
  const secret = newSecret()

  em.create(Session, {
    user: user.id,
    tokenHash: hashSecret(secret),
    ip,
    userAgent: userAgent?.slice(0, 300),
    awaitsCode,
    seenAt: at,
    createdAt: at,
    expiresAt: new Date(at.getTime() + (awaitsCode ? codeSeconds : sessionSeconds) * 1000)
  })

  return secret
}

/** The session behind a cookie whose second factor is still to come. */
export function findHalfOpen(em: EntityManager, secret: string, at: Date) {
  return em.findOne(Session, { tokenHash: hashSecret(secret), awaitsCode: true, expiresAt: { $gt: at } }, { populate: ['user'] })
}

export function listSessions(em: EntityManager, user: User, at: Date) {
  return em.find(Session, { user, awaitsCode: false, expiresAt: { $gt: at } }, { orderBy: { seenAt: 'desc', id: 'desc' }, limit: 100 })
}

/** Ends one of somebody's sessions; false when it is none of theirs, or over already. */
export async function revokeSession(em: EntityManager, user: User, id: number, actor: Actor) {
  return em.transactional(async em => {
    const ended = await em.nativeDelete(Session, { id, user: user.id })

    if (ended > 0) recordOf(em, actor, user, 'session_revoked', { sessions: ended })

    return ended > 0
  })
}

/** Ends all of somebody's sessions but the one behind this cookie. */
export async function revokeOtherSessions(em: EntityManager, user: User, secret: string, actor: Actor) {
  return em.transactional(async em => {
    const ended = await em.nativeDelete(Session, { user: user.id, tokenHash: { $ne: hashSecret(secret) } })

    if (ended > 0) recordOf(em, actor, user, 'session_revoked', { sessions: ended })

    return ended
  })
}

/** Written at most once a minute: reading must not turn into writing. */
export async function markSeen(em: EntityManager, session: Session, at: Date) {
  if (at.getTime() - session.seenAt.getTime() < 60_000) return

  await em.nativeUpdate(Session, { id: session.id }, { seenAt: at })
}
