import type { Config } from './config.ts'
import type { QueueSpec } from './platform/queue/queues.ts'

/** Every queue there is. `workers/roster.ts` says who works them. */
export function queuesOf(config: Config): Record<string, QueueSpec> {
  return {
    errors: {},
    alerts: { shards: config.alertShards },
    incidents: {},
    mail: {},
    activity: {},
    maintenance: {}
  }
}
