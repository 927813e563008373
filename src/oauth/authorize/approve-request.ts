import type { Actor } from '#audit/record-audit-event.ts'
import { recordUserEvent } from '#identity/record-user-event.ts'
import { hashSecret, newHexSecret } from '#identity/secrets.ts'
import type { Session } from '#identity/sessions/session.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { InvalidClient } from '../errors.ts'
import { lockParties } from '../lock-order.ts'
import { AuthorizationCode, codeSeconds } from './authorization-code.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { Consent } from './consent.ts'

/** Remembers the consent and returns a code for the application. */
export async function approveRequest(em: EntityManager, actor: Actor, request: AuthorizationRequest, session: Session, at: Date) {
  const { application, redirectUri, scopes, codeChallenge, nonce } = request
  const { user, createdAt: authTime } = session
  const code = newHexSecret()

  await em.transactional(async em => {
    if (!(await lockParties(em, { user, application }))) throw new InvalidClient()
    if (!application.isTrusted()) await rememberConsent(em, request, session)
    em.create(AuthorizationCode, {
      codeHash: hashSecret(code),
      application: application.id,
      user: user.id,
      redirectUri,
      scopes,
      codeChallenge,
      nonce,
      authTime,
      createdAt: at,
      expiresAt: new Date(at.getTime() + codeSeconds * 1000)
    })
    recordUserEvent(em, actor, user, 'oauth_request_approved', { application: application.name, application_id: application.id, scopes })
  })

  return code
}

/** The user's refusal is recorded only; the next request asks again. */
export async function denyRequest(em: EntityManager, actor: Actor, { application, scopes }: AuthorizationRequest, { user }: Session) {
  recordUserEvent(em, actor, user, 'oauth_request_denied', { application: application.name, application_id: application.id, scopes })
  await em.flush()
}

async function rememberConsent(em: EntityManager, { application, scopes }: AuthorizationRequest, { user }: Session) {
  const key = { user: user.id, application: application.id }
  const earlier = await em.findOne(Consent, key)
  const all = [...new Set([...(earlier?.scopes ?? []), ...scopes])]

  await em.upsert(Consent, { ...key, scopes: all }, { onConflictFields: ['user', 'application'], onConflictMergeFields: ['scopes'] })
}
