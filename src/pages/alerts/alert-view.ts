import { countOccurrences } from '#alerts/details/count-occurrences.ts'
import { readDetails } from '#alerts/details/read-details.ts'
import { presentAlertDetails } from '#alerts/present-alert-details.ts'
import type { AlertContext } from './alert-context.ts'

/** An alert as its page shows it. */
export type AlertView = Awaited<ReturnType<typeof loadView>>

export async function loadView(context: AlertContext) {
  const { em, alert, project, admin } = context
  const now = new Date()
  const details = await presentAlertDetails(em, alert, project, admin.config.baseUrl)
  const occurrences = await countOccurrences(em, alert, now)

  return { ...context, now, details, occurrences, read: readDetails(alert.kind, String(alert.payload)) }
}
