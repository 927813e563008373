import { findOpenAlerts } from '#alerts/open-alert-store.ts'
import { countOpen, maxCounted } from '#alerts/search/alert-count-store.ts'
import { count } from '#lib/counted.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Html } from '../layout/html.ts'
import { alertRow, type NameOf } from './home-rows.ts'

export interface OpenAlerts {
  rows: Html[]
  more: string
}

/** The most urgent open alerts, and a link to the list that has all of them: "and 12 more". */
export async function openAlerts(em: EntityManager, projectIds: number[], nameOf: NameOf, limit: number, now: Date): Promise<OpenAlerts> {
  const alerts = await findOpenAlerts(em, projectIds, limit)
  const hidden = alerts.length < limit ? 0 : (await countOpen(em, projectIds)) - limit

  return { rows: alerts.map(alert => alertRow(alert, nameOf, now)), more: hidden > 0 ? `and ${inWords(hidden)} more` : 'All alerts' }
}

function inWords(hidden: number) {
  return hidden >= maxCounted ? `over ${count(maxCounted)}` : count(hidden)
}
