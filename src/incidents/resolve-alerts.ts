import { Alert } from '../alerts/alert.ts'
import { noteDown } from '../alerts/record-note.ts'
import type { Issue } from '../issues/issue.ts'
import type { EntityManager } from '../platform/database/database.ts'

/** Resolves what an incident was made of, as it is closed. */
export async function resolveAlertsOf(em: EntityManager, { id: issueId, iid }: Issue, authorId: number | null, at: Date) {
  const alerts = await em.find(Alert, { issueId, status: { $ne: 'resolved' } }, { orderBy: { iid: 'asc' }, lockMode: 4, refresh: true })

  for (const alert of alerts) {
    if (alert.changeStatus('resolved', at)) noteDown(em, alert, authorId, 'status', `resolved, as its incident #${iid} was closed`)
  }
}
