import Type from 'typebox'
import { defineJob } from './queue/job.ts'

/** Removes what has served its time; each domain says what that is. */
export const tidyUp = defineJob({ name: 'platform.tidy-up', queue: 'maintenance', item: Type.Object({}) })
