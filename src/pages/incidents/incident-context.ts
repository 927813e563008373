import type { FastifyRequest } from 'fastify'
import { findIssue } from '#issues/find-issue.ts'
import type { Issue, IssueType } from '#issues/issue.ts'
import { type IssueRow, loadIssues } from '#issues/load-issues.ts'
import { Role } from '#projects/members/member.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'

export interface IncidentContext extends PageContext {
  issue: Issue
  row: IssueRow
  isIncident: boolean
  incidentUrl: string
  /** Whether the reader sees alerts and errors. */
  isMonitoring: boolean
}

/** An incident or an ordinary issue. `findIssue` decides who sees it. */
export async function incidentContext(request: FastifyRequest): Promise<IncidentContext> {
  const context = await pageContext(request, Role.guest)
  const iid = Number((request.params as { iid: string }).iid)
  const { project, em, projectUrl, role } = context
  const { issue } = await findIssue(em, request.user, {
    id: String(project.id),
    issue_iid: Number.isSafeInteger(iid) ? iid : 0
  })
  const [row] = await loadIssues(em, [issue.id])

  return {
    ...context,
    issue,
    row: row!,
    isIncident: issue.issueType === 'incident',
    incidentUrl: issueUrl(projectUrl, issue.issueType, issue.iid),
    isMonitoring: role >= Role.developer && project.monitoringAccessLevel !== 'disabled'
  }
}

/** Under the URL of the project. */
export function issueUrl(projectUrl: string, type: IssueType, iid: number) {
  return `${projectUrl}/${type}s/${iid}`
}
