import { type Actor, type AuditEntry, recordAuditEvent } from '#audit/record-audit-event.ts'
import { fullPathOf } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { User } from '../users/user.ts'
import type { AccessToken } from './access-token.ts'
import { presentDay } from './token-schemas.ts'

/** Records an audit event in the log of the project, group or user that the token belongs to. */
export async function recordTokenEvent(
  em: EntityManager,
  actor: Actor,
  token: AccessToken,
  verb: 'created' | 'rotated' | 'revoked' | 'family_revoked'
) {
  const { id, kind, name, scopes, expiresAt } = token

  recordAuditEvent(em, actor, {
    name: `${kind === 'impersonation' ? 'impersonation' : `${kind}_access`}_token_${verb}`,
    entity: await findOwner(em, token),
    target: { type: 'PersonalAccessToken', id, details: name },
    details: { scopes, expires_at: presentDay(expiresAt) }
  })
}

async function findOwner(em: EntityManager, { projectId, groupId, user }: AccessToken): Promise<AuditEntry['entity']> {
  if (projectId) return { type: 'Project', id: projectId, path: await fullPathOf(em, 'projects', projectId) }
  if (groupId) return { type: 'Group', id: groupId, path: await fullPathOf(em, 'namespaces', groupId) }

  return { type: 'User', id: user.id, path: (await em.findOneOrFail(User, { id: user.id })).username }
}
