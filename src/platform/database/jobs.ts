import Type from 'typebox'
import { defineJob } from '../queue/job.ts'

/** Deletes expired rows of every domain. */
export const deleteExpired = defineJob({ name: 'platform.tidy-up', queue: 'maintenance', item: Type.Object({}) })
