import { deleteIssueActivity } from '#activity/activity-store.ts'
import { lockForChange } from '#api/conditional-requests.ts'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import type { Issue } from './issue.ts'

/** With its comments, history and activity. The alerts of an incident stay. */
export async function deleteIssue(em: EntityManager, project: Project, issue: Issue, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, issue)
    const target = { type: 'Issue', id: issue.id, details: issue.title as string }

    recordAuditEvent(em, by, { name: 'issue_deleted', entity: project.audited(), target, details: { iid: issue.iid } })
    await deleteIssueActivity(em, issue)
    em.remove(issue)
  })
}
