import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'
import type { DueWebhook } from './webhook-delivery-store.ts'

/** One attempt to send a request to a webhook. Further attempts are jobs of their own, after a pause. */
export const deliverWebhook = defineJob({
  name: 'webhooks.deliver',
  queue: 'deliveries',
  item: Type.Object({ deliveryId: Type.Integer(), attempt: Type.Integer() }),
  key: ({ deliveryId, attempt }) => `${deliveryId}-${attempt}`,
  attempts: 12
})

/** The same attempt again is the same job. */
export async function enqueueWebhooks(queues: Queues, deliveries: DueWebhook[], at: Date) {
  for (const { id, attempts, sendAt } of deliveries) {
    const delay = Math.max(0, sendAt.getTime() - at.getTime())

    await queues.enqueue(deliverWebhook, { deliveryId: id, attempt: attempts }, { delay })
  }
}
