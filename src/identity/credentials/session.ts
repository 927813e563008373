import { readSession } from '#api/guards/cookies.ts'
import { impersonatedIn } from '../sessions/impersonate.ts'
import { findSession, touchSession } from '../sessions/sessions.ts'
import { recordLastActivity } from '../users/last-activity.ts'
import type { AuthStrategy } from './auth-strategy.ts'

/** The cookie of a signed-in browser. An expired one counts as none, so that public pages still work. */
export const sessionStrategy: AuthStrategy = {
  read: readSession,
  async authenticate(em, secret, { server }) {
    const now = new Date()
    const session = await findSession(em, secret, now)

    if (!session) return undefined
    await touchSession(em, server.platform.config, session, now)
    await recordLastActivity(em, session.user, now)

    const impersonated = server.platform.config.isImpersonationOn && impersonatedIn(session)
    const by = { kind: 'session' } as const

    return impersonated ? { user: impersonated, sudoer: session.user, scopes: 'all', by } : { user: session.user, scopes: 'all', by }
  }
}
