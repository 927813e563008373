import type { Config } from './config.ts'
import type { QueueSpec } from './platform/queue/queues.ts'

/** All queues. Their handlers are in `workers/roster.ts`. */
export function queuesOf(config: Config): Record<string, QueueSpec> {
  return {
    errors: {},
    alerts: { shards: config.alertShards },
    incidents: {},
    mail: {},
    deliveries: {},
    activity: {},
    checks: {},
    'storage-moves': {},
    maintenance: {}
  }
}
