import Type from 'typebox'
import { defineJob } from '../platform/queue/job.ts'

/** What came through the door, as it came. Its sender waits a while for what became of it. */
export const receiveAlerts = defineJob({
  name: 'alerts.receive',
  queue: 'alerts',
  batched: true,
  item: Type.Object({
    /** The same request again, be it the job's or the sender's doing, has the same one. */
    id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    projectId: Type.Integer(),
    integrationId: Type.Integer(),
    receivedAt: Type.String(),
    /** JSON, of either kind. */
    body: Type.String()
  }),
  // Fire and resolve must not overtake each other, whichever of a project's integrations they come by.
  shard: item => item.projectId,
  size: item => item.body.length,
  receiptWithin: 2000
})
