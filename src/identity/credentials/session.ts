import type {} from '@fastify/cookie'
import { hashSecret } from '../secrets.ts'
import { Session } from '../sessions/session.ts'
import { markSeen } from '../sessions/sessions.ts'
import type { CredentialKind } from './credential.ts'

/** The cookie of a browser that somebody signed in with. One that has run out is as good as none. */
export const session: CredentialKind = {
  read: request => request.cookies?._service_session || undefined,
  async identify(em, secret) {
    const session = await em.findOne(
      Session,
      { tokenHash: hashSecret(secret), awaitsCode: false, expiresAt: { $gt: new Date() } },
      { populate: ['user'] }
    )

    if (session) await markSeen(em, session, new Date())

    return session ? { user: session.user, scopes: 'all', by: { kind: 'session' } } : undefined
  }
}
