import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Deletes projects and groups that were marked for deletion long enough ago. */
export const deleteMarked = defineJob({ name: 'projects.delete-marked', queue: 'maintenance', item: Type.Object({}) })
