import { closeIssue } from '../../issues/close-issue.ts'
import { Issue } from '../../issues/issue.ts'
import type { EntityManager } from '../../platform/database.ts'
import { Alert } from '../alert.ts'
import { AlertSetting } from '../setting.ts'
import { openIncident } from './open.ts'
import type { AlertNews } from './wanted.ts'

/** Does about a project's alerts what it wants done. What was done already, or is no longer so, changes nothing. */
export async function follow(em: EntityManager, { projectId, triggered, resolved }: AlertNews, baseUrl: string) {
  const setting = await em.findOne(AlertSetting, { projectId })

  if (setting?.createsIncidents) for (const iid of triggered) await openIncident(em, { projectId, iid, baseUrl, setting })
  if (setting?.closesIncidents) for (const iid of resolved) await closeIncident(em, projectId, iid)
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
