import type { EventArgs, EventSubscriber } from '@mikro-orm/core'
import { AuditEvent } from '#audit/audit-event.ts'
import { addWebhookEvent } from '#outbox/webhook-event-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { concernsWebhooks } from './payloads/audit-payload.ts'

/** Webhooks hear of projects, groups, users, keys and members through the audit events, in the same transaction. */
export class AuditSubscriber implements EventSubscriber<AuditEvent> {
  getSubscribedEntities() {
    return [AuditEvent]
  }

  async afterCreate({ entity, em }: EventArgs<AuditEvent>) {
    const { id, name, entityType, entityId, authorId, details, createdAt } = entity

    if (entityType === 'Instance' || !concernsWebhooks(name, details)) return
    await addWebhookEvent(em as EntityManager, {
      kind: 'audit',
      projectId: entityType === 'Project' ? entityId : null,
      groupId: entityType === 'Group' ? entityId : null,
      actorId: authorId,
      data: { name, at: createdAt.toISOString(), entityId, details },
      key: `audit-${id}`
    })
  }
}
