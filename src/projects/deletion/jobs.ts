import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Purges the rows of deleted projects from large tables. */
export const purgeProjects = defineJob({
  name: 'projects.purge',
  queue: 'maintenance',
  item: Type.Object({ projectIds: Type.Array(Type.Integer(), { minItems: 1, maxItems: 1000 }) })
})

/** Deletes projects and groups that were marked for deletion long enough ago. */
export const deleteMarked = defineJob({ name: 'projects.delete-marked', queue: 'maintenance', item: Type.Object({}) })
