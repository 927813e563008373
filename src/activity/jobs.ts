import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'
import { EventRecord } from './schemas.ts'

/** The events of one request: all are recorded, or none. */
export const recordEvents = defineJob({
  name: 'activity.record',
  queue: 'activity',
  batched: true,
  item: Type.Object({
    projectId: Type.Integer(),
    authorId: Type.Integer(),
    /** The request's id, the same for its retries. With the index of a record it makes the deduplication key. */
    id: Type.String(),
    receivedAt: Type.String(),
    records: Type.Array(EventRecord)
  }),
  tenant: item => item.projectId,
  weight: item => item.records.length
})
