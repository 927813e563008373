import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { isHexSecret } from '#identity/secrets.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Client } from '../authenticate-client.ts'
import { InvalidRequest, OAuthError, UnsupportedGrantType } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import type { Grant } from './grant.ts'

/** What a grant allows, to which application, and for whom. */
export type GrantParties = Pick<Grant, 'type' | 'scopes'> & {
  application?: Client | null | undefined
  user?: Viewer | null | undefined
}

/** Records an audit event at the user that a grant acts for, or at the instance. */
export function recordGrantEvent(
  em: EntityManager,
  actor: Actor,
  { type, scopes, user, application }: GrantParties,
  verb: 'created' | 'revoked',
  details?: Record<string, unknown>
) {
  recordAuditEvent(em, actor, {
    name: `oauth_grant_${verb}`,
    entity: user ? { type: 'User', id: user.id, path: user.username } : instance,
    target: application
      ? { type: 'OauthApplication', id: application.id, details: application.name }
      : { type: 'OauthApplication', id: 0, details: 'no application' },
    details: { grant_type: type, scopes, ...details }
  })
}

/** Records that no tokens were given. Malformed requests are no attempt to get any. */
export async function recordRefusal(em: EntityManager, actor: Actor, params: Parameters, error: unknown) {
  if (!(error instanceof OAuthError) || error instanceof InvalidRequest || error instanceof UnsupportedGrantType) return
  const { grant_type, client_id: clientId = '' } = params

  recordAuditEvent(em, actor, {
    name: 'oauth_grant_refused',
    entity: instance,
    details: { grant_type, error: error.code, ...(isHexSecret(clientId) && { client_id: clientId }) }
  })
  await em.flush()
}
