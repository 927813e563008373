import { receiveAlerts } from '../src/alerts/jobs.ts'
import { receive } from '../src/alerts/receive-alerts.ts'
import { wantedNews } from '../src/incidents/incident-follow-ups.ts'
import { followAlerts } from '../src/incidents/jobs.ts'
import { handle } from '../src/platform/queue/worker.ts'

export const alerts = [
  handle(receiveAlerts, async (items, { em, queues, sendReceipt }) => {
    const news = await receive(em, items, sendReceipt)

    await queues.enqueueAll(followAlerts, await wantedNews(em, news))
  })
]
