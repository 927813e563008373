import type { QueueSpec } from './platform/queues.ts'

/** Every queue there is. `workers/roster.ts` says who works them. */
export const queues: Record<string, QueueSpec> = {
  errors: {},
  maintenance: {},
  activity: {}
}
