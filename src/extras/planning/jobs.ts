import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Writes the issues that are due tomorrow to the outbox. */
export const notifyDueIssues = defineJob({ name: 'issues.notify-due', queue: 'maintenance', item: Type.Object({}) })
