import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Measures and packs the repositories that were written to. */
export const maintainRepositories = defineJob({
  name: 'repositories.maintain',
  queue: 'maintenance',
  item: Type.Object({}),
  runsInChildProcesses: true
})
