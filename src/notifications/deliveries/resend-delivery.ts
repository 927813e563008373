import { LockMode } from '@mikro-orm/core'
import { NotFound, ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Delivery } from './delivery.ts'

export async function findDelivery(em: EntityManager, projectId: number, id: number) {
  const delivery = await em.findOne(Delivery, { projectId, id })

  if (!delivery) throw new NotFound('Delivery')

  return delivery
}

/** Sends a delivery that was sent, given up or held. The caller enqueues it after the commit. */
export function resendDelivery(em: EntityManager, projectId: number, id: number, at: Date) {
  return em.transactional(async em => {
    const delivery = await em.findOne(Delivery, { projectId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!delivery) throw new NotFound('Delivery')
    if (delivery.status === 'pending' || delivery.status === 'sending')
      throw new ValidationFailed({ status: ['is not final: it will be sent'] })
    // The number of attempts only grows: it tells the jobs of this delivery apart.
    delivery.attempts++
    delivery.firstAttempt = delivery.attempts
    delivery.status = 'sending'
    delivery.sendAt = at

    return delivery
  })
}
