import Type from 'typebox'
import { defineJob } from '../../platform/queue/job.ts'

/** Removes what projects that are gone leave behind: too much of it to delete with them. */
export const purgeProjects = defineJob({
  name: 'projects.purge',
  queue: 'maintenance',
  item: Type.Object({ projectIds: Type.Array(Type.Integer(), { minItems: 1, maxItems: 1000 }) })
})
