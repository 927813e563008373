import type { FilterQuery } from '@mikro-orm/core'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { User } from '../users/user.ts'
import type { Attempt } from './lockout.ts'
import { Session } from './session.ts'

export interface Client {
  ip: string
  userAgent?: string
  /** The secret of a known browser. */
  device?: string
}

/** A user who manages their own account in a browser. */
export interface AccountContext extends Attempt {
  /** The secret of this browser's session. */
  session: string
}

export const sessionSeconds = 14 * 24 * 3600
const awaitsCodeSeconds = 10 * 60

type Lifetime = Pick<Config, 'sessionIdleSeconds'>

interface NewSession {
  user: User
  client: Client
  at: Date
  awaitsCode?: boolean
}

/** Creates a session in the current unit of work and returns the secret for its cookie. */
export function createSession(
  em: EntityManager,
  config: Lifetime,
  { user, client: { ip, userAgent }, at, awaitsCode = false }: NewSession
) {
  const secret = newSecret()

  em.create(Session, {
    user: user.id,
    tokenHash: hashSecret(secret),
    ip,
    userAgent: userAgent?.slice(0, 300),
    awaitsCode,
    seenAt: at,
    createdAt: at,
    expiresAt: awaitsCode ? new Date(at.getTime() + awaitsCodeSeconds * 1000) : expiryOf(config, at, at)
  })

  return secret
}

export function findSession(em: EntityManager, secret: string, at: Date, { awaitsCode = false } = {}) {
  return em.findOne(Session, { tokenHash: hashSecret(secret), awaitsCode, expiresAt: { $gt: at } }, { populate: ['user', 'impersonated'] })
}

export function listSessions(em: EntityManager, { user, at }: AccountContext) {
  return em.find(Session, { user, awaitsCode: false, expiresAt: { $gt: at } }, { orderBy: { seenAt: 'desc', id: 'desc' }, limit: 100 })
}

/** False when the user has no such session. */
export async function revokeSession(em: EntityManager, account: AccountContext, id: number) {
  return (await revokeWhere(em, account, { id })) > 0
}

export function revokeOtherSessions(em: EntityManager, account: AccountContext) {
  return revokeWhere(em, account, { tokenHash: { $ne: hashSecret(account.session) } })
}

/** Postpones the idle timeout. Written at most once a minute, so that reads do not become writes. */
export async function touchSession(em: EntityManager, config: Lifetime, { id, seenAt, createdAt }: Session, at: Date) {
  if (at.getTime() - seenAt.getTime() < 60_000) return

  await em.nativeUpdate(Session, { id }, { seenAt: at, expiresAt: expiryOf(config, createdAt, at) })
}

export function deleteExpiredSessions(em: EntityManager, at: Date) {
  return em.nativeDelete(Session, { expiresAt: { $lt: at } })
}

/** The idle timeout, but at most `sessionSeconds` after the sign-in. */
function expiryOf({ sessionIdleSeconds }: Lifetime, createdAt: Date, seenAt: Date) {
  return new Date(Math.min(seenAt.getTime() + sessionIdleSeconds * 1000, createdAt.getTime() + sessionSeconds * 1000))
}

async function revokeWhere(em: EntityManager, { user, actor }: AccountContext, where: FilterQuery<Session>) {
  return em.transactional(async em => {
    const sessions = await em.nativeDelete(Session, { $and: [{ user: user.id }, where] })

    if (sessions > 0) recordUserEvent(em, actor, user, 'session_revoked', { sessions })

    return sessions
  })
}
