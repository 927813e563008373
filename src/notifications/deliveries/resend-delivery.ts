import { LockMode } from '@mikro-orm/core'
import { recordAuditEvent } from '#audit/record-audit-event.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import type { ProjectAdmin } from '../project-resource.ts'
import { Delivery } from './delivery.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'

export async function findDelivery(em: EntityManager, projectId: number, id: number) {
  const delivery = await em.findOne(Delivery, { projectId, id })

  if (!delivery) throw new NotFound('Delivery')

  return delivery
}

/** Sends a delivery again that was sent or given up, or at once one that waits or is held. */
export async function resendDelivery(em: EntityManager, queues: Queues, admin: ProjectAdmin, id: number, at: Date) {
  const delivery = await restart(em, admin, id, at)

  await enqueueDeliveries(queues, [delivery], at)

  return delivery
}

function restart(em: EntityManager, { project, actor }: ProjectAdmin, id: number, at: Date) {
  return em.transactional(async em => {
    const delivery = await em.findOne(Delivery, { projectId: project.id, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!delivery) throw new NotFound('Delivery')
    if (!delivery.canBeSent(at)) throw new ValidationFailed({ status: ['is being sent'] })
    recordAuditEvent(em, actor, {
      name: 'notification_delivery_resent',
      entity: project.audited(),
      target: { type: 'NotificationDelivery', id, details: delivery.target },
      details: { status: delivery.status }
    })
    delivery.resend(at)

    return delivery
  })
}
