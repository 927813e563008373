import Type from 'typebox'
import { NotFound } from '../../http/problems/problems.ts'
import { findIssue, findIssueProject } from '../../issues/find-issue.ts'
import type { Issue } from '../../issues/issue.ts'
import { listIssues } from '../../issues/list-issues.ts'
import { type IssueRow, loadIssues } from '../../issues/load-issues.ts'
import { type IssueNoteRow, presentIssue, presentNote } from '../../issues/routes/present-issue.ts'
import { listNotes } from '../../notes/list-notes.ts'
import type { Project } from '../../projects/project.ts'
import { bounded, codeBlock, compact, facts, line, section, sections } from '../markdown/markdown.ts'
import { writeNotes } from '../markdown/notes.ts'
import { defineTool, page, paging, project, type ToolContext } from '../tool.ts'

const maxNotes = 20
export const incidentIid = Type.Integer({ description: 'Number of the incident in its project, from `list_incidents`.' })

export const listIncidents = defineTool({
  name: 'list_incidents',
  title: 'List incidents',
  description: 'Lists the incidents of a project, newest first; open ones by default.',
  input: Type.Object({
    ...project,
    state: Type.Optional(Type.Enum(['opened', 'closed', 'all'])),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the title or the description.' })),
    ...paging
  }),
  async run({ em, viewer, baseUrl }, { project: id, state = 'opened', search, ...paging }) {
    const project = await findIssueProject(em, viewer, id)
    const filter = { projectId: project.id, issueType: 'incident' as const, state: state === 'all' ? undefined : state, search }
    const { rows, next_cursor } = await page<IssueRow, [number, number]>(paging, {
      shape: ['id', 'id'],
      positionOf: ({ iid }) => [iid, iid],
      list: (after, limit) => listIssues(em, filter).listAfter(after, limit)
    })
    const incidents = rows.map(row => describe(row, project, baseUrl))
    const text = rows.map(({ iid, title, state, severity }) => `- ${iid}: ${line(title)} [${state}, ${severity}]`).join('\n')

    return { text: text || 'No incidents match.', data: { incidents, next_cursor } }
  }
})

export const getIncident = defineTool({
  name: 'get_incident',
  title: 'Get an incident',
  description: 'Gets an incident with its description, its alerts and its latest notes.',
  input: Type.Object({ ...project, incident_iid: incidentIid }),
  async run(context, { project: id, incident_iid }) {
    return showIncident(context, await findIncident(context, id, incident_iid))
  }
})

export async function findIncident({ em, viewer }: ToolContext, id: string, iid: number) {
  const subject = await findIssue(em, viewer, { id, issue_iid: iid })

  if (subject.issue.issueType !== 'incident') throw new NotFound('Incident')

  return subject
}

export async function showIncident({ em, baseUrl }: ToolContext, { project, issue }: { project: Project; issue: Issue }) {
  const [row] = await loadIssues(em, [issue.id])
  const recent = await listNotes<IssueNoteRow>(em, 'issue', issue.id, { sort: 'desc' }).list(maxNotes)
  const { title, description, ...values } = describe(row!, project, baseUrl)
  const { notes, written } = writeNotes(recent.reverse().map(note => presentNote(note, issue, baseUrl)))

  return {
    text: sections(
      `# Incident ${issue.iid}: ${title}`,
      facts(values),
      section('Description', description && codeBlock(String(description))),
      section('Notes', written)
    ),
    data: { incident: compact({ title, description, ...values }), notes }
  }
}

function describe(row: IssueRow, project: Project, baseUrl: string) {
  const { iid, title, description, state, severity, created_at, closed_at, alert_iids, assignees, web_url } = presentIssue(
    row,
    project,
    baseUrl
  )

  return compact({
    ...{ iid, title: line(title, 500), state, severity: severity.toLowerCase(), created_at, closed_at, alert_iids, web_url },
    description: description && bounded(description, 4000),
    assignees: assignees.map(({ username }) => username)
  })
}
