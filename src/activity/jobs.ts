import Type from 'typebox'
import { defineJob } from '../platform/queue/job.ts'
import { EventRecord } from './schemas.ts'

/** What a client tells of at once: all of it is recorded, or none. */
export const recordEvents = defineJob({
  name: 'activity.record',
  queue: 'activity',
  batched: true,
  item: Type.Object({
    projectId: Type.Integer(),
    authorId: Type.Integer(),
    /** Of the request: by it, and by its place in it, a record is known again. */
    id: Type.String(),
    receivedAt: Type.String(),
    records: Type.Array(EventRecord)
  }),
  turn: item => item.projectId,
  weight: item => item.records.length
})
