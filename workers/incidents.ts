import { follow } from '../src/alerts/incidents/follow.ts'
import { followAlerts } from '../src/alerts/incidents/jobs.ts'
import { handle } from '../src/platform/worker.ts'

export const incidents = [
  handle(followAlerts, async (items, { em, config }) => {
    for (const news of items) await follow(em, news, config.baseUrl)
  })
]
