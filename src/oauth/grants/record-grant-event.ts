import { type Actor, instance, record } from '../../audit/record-audit-event.ts'
import { isHexSecret } from '../../identity/secrets.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { InvalidRequest, OAuthError, UnsupportedGrantType } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import type { Grant } from './grant.ts'

/** Records an audit event at the user that a grant acts for, or at the instance. The grant's user and application are loaded. */
export function recordGrantEvent(
  em: EntityManager,
  actor: Actor,
  { type, scopes, user, application }: Grant,
  verb: 'created' | 'revoked',
  details?: Record<string, unknown>
) {
  record(em, actor, {
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

  record(em, actor, {
    name: 'oauth_grant_refused',
    entity: instance,
    details: { grant_type, error: error.code, ...(isHexSecret(clientId) && { client_id: clientId }) }
  })
  await em.flush()
}
