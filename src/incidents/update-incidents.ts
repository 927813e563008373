import { Alert } from '../alerts/alert.ts'
import { settingOf } from '../alerts/settings/change-setting.ts'
import { closeIssue } from '../issues/close-issue.ts'
import { Issue } from '../issues/issue.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { AlertNews } from './incident-follow-ups.ts'
import { openIncident } from './open-incident.ts'

/**
 * Does about a project's alerts what it wants done. What was done already, or is no longer so, changes nothing: cut short,
 * it is simply begun again.
 */
export async function follow(em: EntityManager, { projectId, triggered, resolved }: AlertNews, { baseUrl, signal }: Circumstances) {
  const setting = await settingOf(em, projectId)

  for (const iid of setting.createsIncidents ? triggered : []) {
    signal?.throwIfAborted()
    await openIncident(em, { projectId, iid, baseUrl, setting })
  }
  for (const iid of setting.closesIncidents ? resolved : []) {
    signal?.throwIfAborted()
    await closeIncident(em, projectId, iid)
  }
}

interface Circumstances {
  baseUrl: string
  /** Aborted when the process has to end. */
  signal?: AbortSignal
}

/** Of an alert that is over; as long as others of the incident go on, so does it. */
function closeIncident(em: EntityManager, projectId: number, iid: number) {
  return em.fork().transactional(async em => {
    const alert = await em.findOne(Alert, { projectId, iid })

    if (!alert?.issueId) return
    const issue = await em.findOne(Issue, alert.issueId, { lockMode: 4 })
    const goesOn = await em.count(Alert, { issueId: alert.issueId, status: { $ne: 'resolved' } })

    if (!issue || goesOn > 0) return
    await closeIssue(em, issue, { authorId: null, at: new Date(), why: `closed, as alert ^alert#${iid} was resolved` })
  })
}
