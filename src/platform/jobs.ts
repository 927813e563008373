import Type from 'typebox'
import { defineJob } from './job.ts'

/** Removes what the platform itself leaves behind: receipts nobody fetched, processes that are gone. */
export const tidyUp = defineJob({ name: 'platform.tidy-up', queue: 'maintenance', item: Type.Object({}) })
