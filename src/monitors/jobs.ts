import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Finds runs that are missed or take too long, and hands the alerts of monitors to their queue. */
export const watchMonitors = defineJob({ name: 'monitors.watch', queue: 'maintenance', item: Type.Object({}) })

/** Requests the URLs that are due. */
export const checkMonitors = defineJob({ name: 'monitors.check', queue: 'checks', item: Type.Object({}) })
