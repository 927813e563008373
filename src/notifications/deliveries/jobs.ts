import Type from 'typebox'
import type { JobContext } from '#platform/queue/handler.ts'
import { defineJob } from '#platform/queue/job.ts'

declare module '#platform/extra.ts' {
  interface Extra {
    /** Called after each dispatch of the outbox: at every commit that wrote to it, and every minute. */
    dispatch?: (context: JobContext, extras: Extra[]) => Promise<void>
  }
}

/** Turns what is in the outbox into deliveries, and enqueues deliveries whose jobs were lost. */
export const dispatchOutbox = defineJob({ name: 'notifications.dispatch', queue: 'deliveries', item: Type.Object({}) })

/** Finds errors that meet a condition of a rule that no single event decides. */
export const evaluateRules = defineJob({ name: 'notifications.evaluate', queue: 'deliveries', item: Type.Object({}) })

/** Reports what still fires when a mute has ended. */
export const endMutes = defineJob({ name: 'notifications.end-mutes', queue: 'deliveries', item: Type.Object({}) })

/** One attempt to send a delivery. Further attempts are jobs of their own, after a pause. */
export const sendDelivery = defineJob({
  name: 'notifications.deliver',
  queue: 'deliveries',
  item: Type.Object({ deliveryId: Type.Integer(), projectId: Type.Integer(), attempt: Type.Integer() }),
  key: ({ deliveryId, attempt }) => `${deliveryId}-${attempt}`,
  attempts: 12
})
