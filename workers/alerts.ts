import { receiveAlerts } from '../src/alerts/jobs.ts'
import { receiveBatch } from '../src/alerts/receive-alerts.ts'
import { listUpdates } from '../src/incidents/enqueue-updates.ts'
import { updateIncidents } from '../src/incidents/jobs.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const alerts = [
  handle(receiveAlerts, async (items, { em, queues, sendReceipt }) => {
    const changes = await receiveBatch(em, items, sendReceipt)

    await queues.enqueueAll(updateIncidents, await listUpdates(em, changes))
  })
]
