import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Takes steps of a task for some seconds. */
export const runTask = defineJob({
  name: 'tasks.run',
  queue: 'maintenance',
  item: Type.Object({ taskId: Type.Integer(), run: Type.Integer() })
})

/** Begins a new run of tasks that no worker is at. */
export const resumeTasks = defineJob({ name: 'tasks.resume', queue: 'maintenance', item: Type.Object({}) })
