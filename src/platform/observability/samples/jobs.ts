import Type from 'typebox'
import { defineJob } from '../../queue/job.ts'

/** Records the state of the installation, for the plots of the health page. */
export const sampleHealth = defineJob({ name: 'platform.sample-health', queue: 'maintenance', item: Type.Object({}) })
