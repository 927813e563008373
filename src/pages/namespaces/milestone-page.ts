import type { FastifyReply } from 'fastify'
import { viewerOf } from '../../identity/identify.ts'
import { listMilestoneIssues } from '../../issues/lists/list-milestone-issues.ts'
import { counted } from '../../lib/counted.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { MilestoneRow } from '../../projects/milestones/milestone-schemas.ts'
import { html } from '../layout/html.ts'
import { markdown } from '../layout/markdown/markdown.ts'
import { page } from '../layout/page.ts'
import { timeIn } from '../layout/time.ts'
import { issueListRow } from '../projects/incidents/list/incident-row.ts'

const maxIssues = 100

/** A milestone with the issues and incidents that the reader may see. */
export async function milestonePage(reply: FastifyReply, em: EntityManager, milestone: MilestoneRow) {
  const viewer = viewerOf(reply.request)
  const issues = viewer ? await listMilestoneIssues(em, viewer, milestone.id) : undefined
  const rows = (await issues?.list(maxIssues, 0)) ?? []
  const total = (await issues?.count()) ?? 0
  const { title, description, state, full_path: path, project_id: projectId, start_date: start, due_date: due } = milestone
  const now = new Date()
  const dates = [start && html`from ${timeIn('date', new Date(start))}`, due && html`due ${timeIn('date', new Date(due))}`].filter(Boolean)

  return page(
    reply,
    { title },
    html`
    <p class="trail"><a href="${projectId === null ? '/groups' : ''}/${path}">${path}</a> <span aria-hidden="true">/</span> Milestone</p>
    <h1>${title}</h1>
    <p class="lead">${state}${dates.map(date => html` · ${date}`)}</p>
    ${description && (await markdown(description))}
    <h2>${counted(total, 'issue')}</h2>
    ${rows.length > 0 ? html`<ul class="rows triage">${rows.map(row => issueListRow(row, { now }))}</ul>` : html`<p class="empty">You see no issue or incident of this milestone.</p>`}
    ${total > rows.length && html`<p class="hint">The newest ${rows.length} are shown.</p>`}`
  )
}
