import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Starts delayed jobs, and fails those that are lost. */
export const sweepJobs = defineJob({ name: 'ci.sweep', queue: 'maintenance', item: Type.Object({}) })
