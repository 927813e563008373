import { followAlerts } from '../src/alerts/incidents/jobs.ts'
import { wantedNews } from '../src/alerts/incidents/wanted.ts'
import { receiveAlerts } from '../src/alerts/jobs.ts'
import { receive } from '../src/alerts/receive.ts'
import { handle } from '../src/platform/worker.ts'

export const alerts = [
  handle(receiveAlerts, async (items, { em, queues, sendReceipt }) => {
    const news = await receive(em, items, sendReceipt)

    await queues.enqueueAll(followAlerts, await wantedNews(em, news))
  })
]
