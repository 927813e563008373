import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Application } from './application.ts'

/** Records an audit event at the owner of an application, or at the instance. */
export async function recordApplicationEvent(
  em: EntityManager,
  actor: Actor,
  application: Application,
  verb: 'created' | 'updated' | 'deleted' | 'secret_renewed'
) {
  const { id, name, scopes, redirectUris, owner } = application

  if (owner) await em.populate(application, ['owner'])
  recordAuditEvent(em, actor, {
    name: `oauth_application_${verb}`,
    entity: owner ? { type: 'User', id: owner.id, path: owner.username } : instance,
    target: { type: 'OauthApplication', id, details: name },
    details: { scopes, redirect_uris: redirectUris }
  })
}
