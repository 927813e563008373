import { recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { discardDeliveries } from '../deliveries/delivery-store.ts'
import type { ProjectAdmin } from '../project-resource.ts'
import type { Mute } from './mute.ts'

/** Nothing that a mute held will be sent; it stays in the list. Returns how many; a second call finds none. */
export function discardHeld(em: EntityManager, { project, actor }: ProjectAdmin, mute: Mute, at: Date) {
  return em.transactional(async em => {
    const count = await discardDeliveries(em, mute.id, at)

    if (count > 0) {
      recordAuditEvent(em, actor, {
        name: 'notification_deliveries_discarded',
        entity: project.audited(),
        target: { type: 'NotificationMute', id: mute.id, details: mute.reason },
        details: { count }
      })
    }

    return count
  })
}
