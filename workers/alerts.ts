import { receiveAlerts } from '../src/alerts/jobs.ts'
import { processAlerts } from '../src/alerts/process-alerts.ts'
import { confirmSubscription } from '../src/alerts/sns/jobs.ts'
import { confirmationsIn } from '../src/alerts/sns/sns-message.ts'
import { incidentUpdatesOf } from '../src/incidents/incident-updates.ts'
import { updateIncidents } from '../src/incidents/jobs.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const alerts = [
  handle(receiveAlerts, async (items, { em, queues, sendReceipt }) => {
    const changes = await processAlerts(em, items, sendReceipt)

    await queues.enqueueAll(updateIncidents, await incidentUpdatesOf(em, changes))
    await queues.enqueueAll(confirmSubscription, confirmationsIn(items))
  })
]
