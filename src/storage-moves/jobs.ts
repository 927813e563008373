import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** One attempt; a later attempt is another job, and so is one whose job has failed: it is enqueued again after an hour. */
export const moveRepository = defineJob({
  name: 'storage-moves.move',
  queue: 'storage-moves',
  item: Type.Object({ moveId: Type.Integer(), attempt: Type.Integer(), idleHours: Type.Optional(Type.Integer()) }),
  key: ({ moveId, attempt, idleHours }) => [moveId, attempt, ...(idleHours ? [idleHours] : [])].join('-'),
  runsInChildProcesses: true
})

/** Schedules the next moves of a bulk move. */
export const continueBulkMove = defineJob({
  name: 'storage-moves.continue-bulk',
  queue: 'storage-moves',
  item: Type.Object({ bulkMoveId: Type.Integer() })
})

/** Resumes moves and bulk moves whose jobs were lost. */
export const resumeMoves = defineJob({ name: 'storage-moves.resume', queue: 'storage-moves', item: Type.Object({}) })

/** Deletes directories on the storages that belong to no repository. */
export const sweepStorages = defineJob({ name: 'storage-moves.sweep', queue: 'maintenance', item: Type.Object({}) })
