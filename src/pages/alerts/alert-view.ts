import { findAcknowledgements } from '#alerts/details/acknowledgement-store.ts'
import { countOccurrences } from '#alerts/details/count-occurrences.ts'
import { readDetails } from '#alerts/details/read-details.ts'
import { Integration } from '#alerts/integrations/integration.ts'
import { presentAlertDetails } from '#alerts/present-alert-details.ts'
import type { AlertContext } from './alert-context.ts'

/** An alert as its page shows it. */
export type AlertView = Awaited<ReturnType<typeof loadView>>

export async function loadView(context: AlertContext) {
  const { em, alert, project, admin } = context
  const now = new Date()
  const details = await presentAlertDetails(em, alert, project, admin.config.baseUrl)
  const occurrences = await countOccurrences(em, alert, now)
  const acknowledgements = await findAcknowledgements(em, alert.status === 'acknowledged' ? [alert.id] : [])

  const integration = alert.integrationId ? await em.findOne(Integration, { id: alert.integrationId }) : undefined

  return {
    ...context,
    integration,
    now,
    details,
    occurrences,
    acknowledgement: acknowledgements.get(alert.id),
    read: readDetails(alert.kind, String(alert.payload))
  }
}
