import type { Severity } from '#lib/severity.ts'
import { countTasks } from '#lib/task-list.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { NoteRow } from '#projects/list-notes.ts'
import { presentMilestone } from '#projects/milestones/milestone-schemas.ts'
import { type PersonLike, presentPerson } from '#projects/present-project.ts'
import { Project } from '#projects/project.ts'
import type { IncidentStatus } from './issue-note.ts'
import type { IssueRow } from './load-issues.ts'
import { presentTimeStats } from './time-amount.ts'

/** Clients require an author. */
export const alertBot: PersonLike = { id: 0, username: 'alert-bot', name: 'Alert bot', state: 'active' }

export function presentIssue(issue: IssueRow, project: Project, baseUrl: string) {
  const self = `${baseUrl}/api/v4/projects/${project.id}/issues/${issue.iid}`
  const assignees = issue.assignees.map(person => presentPerson(person, baseUrl))
  const tasks = countTasks(issue.description ?? '')

  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.project_id,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    issue_type: issue.issue_type,
    type: issue.issue_type.toUpperCase(),
    severity: issue.severity.toUpperCase(),
    author: presentPerson(issue.author ?? alertBot, baseUrl),
    assignees,
    assignee: assignees[0] ?? null,
    alert_iids: issue.alert_iids,
    created_at: writeTime(issue.created_at),
    updated_at: writeTime(issue.updated_at),
    closed_at: issue.closed_at && writeTime(issue.closed_at),
    closed_by: issue.closed_by && presentPerson(issue.closed_by, baseUrl),
    labels: issue.labels.map(({ name }) => name),
    due_date: issue.due_date,
    confidential: issue.is_confidential,
    time_stats: presentTimeStats(issue),
    moved_to_id: issue.moved_to_id,
    milestone: issue.milestone && presentMilestone(issue.milestone, baseUrl),
    has_tasks: tasks.count > 0,
    task_completion_status: tasks,
    user_notes_count: issue.notes,
    web_url: `${baseUrl}/projects/${project.id}/${issue.issue_type}s/${issue.iid}`,
    references: { short: `#${issue.iid}`, relative: `#${issue.iid}`, full: `${project.fullPath}#${issue.iid}` },
    _links: { self, notes: `${self}/notes`, project: `${baseUrl}/api/v4/projects/${project.id}` }
  }
}

/** Issues of several projects, in their order. */
export async function presentIssues(em: EntityManager, issues: IssueRow[], baseUrl: string) {
  const projects = await em.find(Project, { id: { $in: issues.map(({ project_id: id }) => id) } })
  const byId = new Map(projects.map(project => [project.id, project]))

  return issues.flatMap(issue => {
    const project = byId.get(issue.project_id)

    return project ? [presentIssue(issue, project, baseUrl)] : []
  })
}

export type IssueNoteRow = NoteRow & { updated_at: string; is_threaded: boolean; incident_status: IncidentStatus | null }

export function presentNote(note: IssueNoteRow, { id, iid, projectId }: { id: number; iid: number; projectId: number }, baseUrl: string) {
  const isSystem = note.action !== null

  return {
    id: note.id,
    type: note.is_threaded ? ('DiscussionNote' as const) : null,
    body: note.body,
    author: presentPerson(note.author ?? alertBot, baseUrl),
    created_at: writeTime(note.created_at),
    updated_at: writeTime(note.updated_at),
    system: isSystem,
    incident_status: note.incident_status,
    noteable_id: id,
    noteable_iid: iid,
    noteable_type: 'Issue' as const,
    project_id: projectId,
    resolvable: false,
    confidential: false,
    internal: false
  }
}

/** Responses show severities in upper case; clients send them back like that. */
export function readSeverity(severity: string | undefined) {
  return severity?.toLowerCase() as Severity | undefined
}
