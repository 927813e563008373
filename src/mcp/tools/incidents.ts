import Type from 'typebox'
import { findIssue, findIssueProject } from '#issues/find-issue.ts'
import { listIssues } from '#issues/lists/list-issues.ts'
import { NotFound } from '#lib/refusals.ts'
import { page, paging, toList } from '../page.ts'
import { describeIncident, showIncident, summarizeIncident } from '../present/incident.ts'
import { partOf, requirePart, showPart } from '../text-part.ts'
import { defineTool, project, type ToolContext } from '../tool.ts'

export const incidentIid = Type.Integer({ description: 'Number of the incident in its project, from `list_incidents`.' })

export const listIncidents = defineTool({
  name: 'list_incidents',
  title: 'List incidents',
  description: 'Lists the incidents of a project, newest first; open ones by default.',
  input: {
    ...project,
    state: Type.Optional(Type.Enum(['opened', 'closed', 'all'])),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the title or the description.' })),
    ...paging
  },
  async run({ em, viewer, baseUrl }, { project: id, state = 'opened', search, ...paging }) {
    const project = await findIssueProject(em, viewer, id)
    const filter = { projectId: project.id, issueType: 'incident' as const, state: state === 'all' ? undefined : state, search }
    const incidents = await page(paging, listIssues(em, filter), rows => rows.map(row => describeIncident(row, project, baseUrl)))

    return toList('incidents', incidents, summarizeIncident, 'No incidents match.')
  }
})

export const getIncident = defineTool({
  name: 'get_incident',
  title: 'Get an incident',
  description: 'Gets an incident with its description, its alerts and its latest notes. With `part`, a long description in full.',
  input: { ...project, incident_iid: incidentIid, ...partOf('description') },
  async run(context, { project: id, incident_iid, part, offset }) {
    const subject = await findIncident(context, id, incident_iid)

    if (part) return showPart({ incident_iid }, { part, text: subject.issue.description ?? undefined, offset })
    requirePart({ offset })

    return showIncident(context, subject)
  }
})

export async function findIncident({ em, viewer }: ToolContext, id: string, iid: number) {
  const subject = await findIssue(em, viewer, { id, issue_iid: iid })

  if (subject.issue.issueType !== 'incident') throw new NotFound('Incident')

  return subject
}
