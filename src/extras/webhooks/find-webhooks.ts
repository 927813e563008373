import { Namespace } from '#namespaces/namespace.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { matchesBranch } from './branch-filter.ts'
import type { Notice } from './events.ts'
import { Webhook } from './webhook.ts'

/** The webhooks that may receive an event: those of the project, of the groups above it, and system hooks. */
export async function findWebhooks(em: EntityManager, { projectId, groupId }: WebhookEvent) {
  const project = projectId ? await em.findOne(Project, { id: projectId }, { populate: ['namespace'] }) : null
  const group = project ? (project.namespace as Namespace) : groupId ? await em.findOne(Namespace, { id: groupId }) : null
  const system = { projectId: null, groupId: null }

  return em.find(Webhook, {
    $or: [system, ...(project ? [{ projectId: project.id }] : []), ...(group ? [{ groupId: { $in: group.lineage } }] : [])]
  })
}

/** Whether a webhook is sent a request. One that failed too often is sent nothing. */
export function wants(webhook: Webhook, { flag, audience, branch }: Notice) {
  const isSystem = !webhook.projectId && !webhook.groupId

  if (webhook.isDisabled() || (audience !== 'all' && (audience === 'system') !== isSystem)) return false
  if (flag !== undefined && !webhook.events[flag]) return false

  return branch === undefined || matchesBranch(webhook, branch)
}
