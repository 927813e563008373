import { recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { releaseDeliveries } from '../deliveries/delivery-store.ts'
import { enqueueDeliveries } from '../deliveries/enqueue-deliveries.ts'
import type { ProjectAdmin } from '../project-resource.ts'
import type { Mute } from './mute.ts'

const maxAtOnce = 1000

/** Sends everything that a mute held, the oldest first. Returns how many; a second call finds none. */
export async function releaseHeld(em: EntityManager, queues: Queues, { project, actor }: ProjectAdmin, mute: Mute, at: Date) {
  const released = await em.transactional(async em => {
    const released = await releaseDeliveries(em, mute.id, at)

    if (released.length > 0) {
      recordAuditEvent(em, actor, {
        name: 'notification_deliveries_released',
        entity: project.audited(),
        target: { type: 'NotificationMute', id: mute.id, details: mute.reason },
        details: { count: released.length }
      })
    }

    return released
  })

  // The dispatcher enqueues the rest, which are overdue.
  await enqueueDeliveries(queues, released.slice(0, maxAtOnce), at)

  return released.length
}
