import type { Issue } from '#issues/issue.ts'
import { type IssueRow, loadIssues } from '#issues/load-issues.ts'
import { type IssueNoteRow, presentIssue, presentNote } from '#issues/present-issue.ts'
import { codeBlock, compact, facts, line, section, sections } from '#lib/markdown.ts'
import { listNotes } from '#projects/list-notes.ts'
import type { Project } from '#projects/project.ts'
import { type ToolContext, toResult } from '../tool.ts'
import { bodyLimit, latestNotes, maxNotes, writeNotes } from './notes.ts'

const limits = { description: { max: 4000, rest: 'see part description' }, ...bodyLimit }

export async function showIncident({ em, baseUrl }: ToolContext, { project, issue }: { project: Project; issue: Issue }) {
  const [row] = await loadIssues(em, [issue.id])
  const recent = await listNotes<IssueNoteRow>(em, 'issue', issue.id, { sort: 'desc' }).list(maxNotes + 1)
  const incident = compact({ ...describeIncident(row!, project, baseUrl), description: row!.description })

  return toResult(
    { incident, ...latestNotes(recent.reverse().map(note => presentNote(note, issue, baseUrl))) },
    ({ incident: { title, description, ...values }, notes, earlier_notes }) =>
      sections(
        `# Incident ${values.iid}: ${title}`,
        facts(values),
        section('Description', description && codeBlock(description)),
        section('Notes', writeNotes(notes)),
        earlier_notes && `Earlier notes: ${earlier_notes}`
      ),
    { limits, rest: 'get_incident with part has the description in full, list_comments has the notes.' }
  )
}

/** The description of a list's row is its beginning. */
export function describeIncident(row: IssueRow, project: Project, baseUrl: string) {
  const { iid, title, description, state, severity, created_at, closed_at, alert_iids, assignees, web_url } = presentIssue(
    row,
    project,
    baseUrl
  )

  return compact({
    ...{ iid, title: line(title, 500), state, severity: severity.toLowerCase(), created_at, closed_at, alert_iids, web_url },
    description: description && line(description),
    assignees: assignees.map(({ username }) => username)
  })
}

export function summarizeIncident({ iid, title, state, severity }: ReturnType<typeof describeIncident>) {
  return `- ${iid}: ${line(title)} [${state}, ${severity}]`
}
