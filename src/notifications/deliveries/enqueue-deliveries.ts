import type { Logger } from 'pino'
import type { Listener } from '#platform/database/listener.ts'
import type { Queues } from '#platform/queue/queues.ts'
import type { DueDelivery } from './delivery-store.ts'
import { dispatchOutbox, sendDelivery } from './jobs.ts'

/** The same attempt again is the same job. */
export async function enqueueDeliveries(queues: Queues, deliveries: DueDelivery[], at: Date) {
  for (const { id, projectId, attempts, sendAt } of deliveries) {
    const delay = Math.max(0, sendAt.getTime() - at.getTime())

    await queues.enqueue(sendDelivery, { deliveryId: id, projectId, attempt: attempts }, { delay })
  }
}

const debounceMs = 100

/** Dispatches soon after something was committed to the outbox. A notification that is lost only costs time: a schedule dispatches, too. */
export function dispatchOnCommit(listener: Listener, queues: Queues, log: Logger) {
  let isWaiting = false

  listener.on('outbox', () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      queues.enqueue(dispatchOutbox, {}).catch(error => log.warn({ err: error }, 'failed to enqueue the dispatch of notifications'))
    }, debounceMs).unref()
  })
}
