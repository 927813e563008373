import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Caller, Identify } from '../http/guards.ts'
import { Unauthorized } from '../http/problems.ts'
import type { EntityManager } from '../platform/database.ts'
import { AccessToken } from './access-token.ts'
import { hashSecret } from './secrets.ts'
import { Session } from './session.ts'
import { markSeen } from './sessions.ts'
import type { User } from './user.ts'

/** Reads whichever credential a request carries: a token by header or query, or a session's cookie. */
export function identifyWith(fork: () => EntityManager): Identify {
  return async request => {
    const token = readToken(request)

    if (token) return byToken(fork(), token)
    const session = request.cookies?._service_session

    return session ? bySession(fork(), session) : undefined
  }
}

/** The user behind a guarded request. */
export function callerOf(request: FastifyRequest) {
  if (!request.caller) throw new Unauthorized()

  return request.caller.user as User
}

function readToken({ headers, query }: FastifyRequest) {
  const { private_token: inQuery, access_token: asOAuth } = query as Record<string, unknown>
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? []

  return [headers['private-token'], bearer, inQuery, asOAuth].find(given => typeof given === 'string' && given !== '') as string | undefined
}

async function byToken(em: EntityManager, secret: string): Promise<Caller> {
  const token = await em.findOne(AccessToken, { tokenHash: hashSecret(secret) }, { populate: ['user'] })
  const now = new Date()

  if (!token || token.revokedAt || (token.expiresAt && token.expiresAt <= now)) throw new Unauthorized()
  await markUsed(em, token, now)

  return { user: token.user, scopes: token.scopes }
}

/** Written at most once a minute: reading must not turn into writing. */
async function markUsed(em: EntityManager, token: AccessToken, now: Date) {
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < 60_000) return

  await em.nativeUpdate(AccessToken, { id: token.id }, { lastUsedAt: now })
}

async function bySession(em: EntityManager, secret: string): Promise<Caller | undefined> {
  const session = await em.findOne(
    Session,
    { tokenHash: hashSecret(secret), awaitsCode: false, expiresAt: { $gt: new Date() } },
    { populate: ['user'] }
  )

  if (session) await markSeen(em, session, new Date())

  return session ? { user: session.user, scopes: 'all' } : undefined
}
