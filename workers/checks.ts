import { checkMonitors as check } from '#monitors/check-monitors.ts'
import { checkMonitors } from '#monitors/jobs.ts'
import { handle } from '#platform/queue/handler.ts'

export const checks = [
  handle(checkMonitors, (_items, { em, queues, config, log, signal }) =>
    check({ fork: () => em.fork(), queues, config, log }, new Date(), signal)
  )
]
