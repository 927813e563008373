import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Finds the commits of new releases, and resolves the errors whose fix was deployed. */
export const linkCommits = defineJob({ name: 'errors.link-commits', queue: 'maintenance', item: Type.Object({}) })
