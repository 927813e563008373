import { confirmSubscription } from '#alerts/integrations/jobs.ts'
import { confirmationsIn } from '#alerts/integrations/sns-message.ts'
import { receiveAlerts } from '#alerts/jobs.ts'
import { processAlerts } from '#alerts/process-alerts.ts'
import { incidentUpdatesOf } from '#incidents/incident-updates.ts'
import { updateIncidents } from '#incidents/jobs.ts'
import { handle } from '#platform/queue/handler.ts'

export const alerts = [
  handle(receiveAlerts, async (items, { em, queues, metrics, sendReceipt }) => {
    const changes = await processAlerts(em, items, sendReceipt)

    metrics.stored('alert', items.length)
    for (const { receivedAt } of items) metrics.received(receivedAt)
    await queues.enqueueAll(updateIncidents, await incidentUpdatesOf(em, changes))
    await queues.enqueueAll(confirmSubscription, confirmationsIn(items))
  })
]
