import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { hashSecret, newSecret } from '#identity/secrets.ts'
import { startOfDay } from '#identity/tokens/token-expiry.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import { fullPathOf } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { DeployToken, deployTokenPrefix } from './deploy-token.ts'
import type { NewDeployToken } from './deploy-token-schemas.ts'
import { type TokenResource, tokensOf } from './resource-token.ts'

/** The secret is available only now: the database stores its hash. */
export async function createDeployToken(em: EntityManager, actor: Actor, resource: TokenResource, input: NewDeployToken, at: Date) {
  const { name, scopes, username } = input
  const expiresAt = toTime(input.expires_at ?? undefined)
  const secret = newSecret(deployTokenPrefix)

  // GitLab's clients name today as the last day, although the token is expired then.
  if (expiresAt && expiresAt.getTime() < startOfDay(at)) throw new ValidationFailed({ expires_at: ['must not be in the past'] })

  const token = await em.transactional(async em => {
    const token = em.create(DeployToken, {
      ...tokensOf(resource),
      ...{ name, expiresAt, username: username || '', tokenHash: hashSecret(secret) },
      scopes: [...new Set(scopes)]
    })

    await em.flush()
    token.username ||= `gitlab+deploy-token-${token.id}`
    await recordEvent(em, actor, token, 'created')

    return token
  })

  return { token, secret }
}

/** Revoking a token twice changes nothing the second time. */
export async function revokeDeployToken(em: EntityManager, actor: Actor, token: DeployToken, at: Date) {
  await em.transactional(async em => {
    await lockForChange(em, token)
    if (token.revokedAt) return
    token.revokedAt = at
    await recordEvent(em, actor, token, 'revoked')
  })
}

async function recordEvent(em: EntityManager, actor: Actor, token: DeployToken, verb: 'created' | 'revoked') {
  const { id, name, projectId, groupId, scopes } = token
  const entity = projectId
    ? { type: 'Project' as const, id: projectId, path: await fullPathOf(em, 'projects', projectId) }
    : { type: 'Group' as const, id: groupId!, path: await fullPathOf(em, 'namespaces', groupId!) }

  recordAuditEvent(em, actor, {
    name: `deploy_token_${verb}`,
    entity,
    target: { type: 'DeployToken', id, details: name },
    details: { scopes }
  })
}
