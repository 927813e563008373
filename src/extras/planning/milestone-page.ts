import type { FastifyReply, FastifyRequest } from 'fastify'
import { viewerOf } from '#identity/identify.ts'
import { counted } from '#lib/counted.ts'
import { issueListRow } from '#pages/incidents/incident-row.ts'
import { html } from '#pages/layout/html.ts'
import { markdown } from '#pages/layout/markdown.ts'
import { page } from '#pages/layout/page.ts'
import { timeIn } from '#pages/layout/time.ts'
import { orUndefined } from '#pages/namespaces/namespace-page.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import { listMilestones } from '#projects/milestones/list-milestones.ts'
import type { MilestoneRow } from '#projects/milestones/milestone-schemas.ts'
import { listMilestoneIssues } from './list-milestone-issues.ts'

const maxIssues = 100

/** A milestone with the issues and incidents that the reader may see. */
async function milestonePage(reply: FastifyReply, em: EntityManager, milestone: MilestoneRow) {
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
    ${rows.length > 0 ? html`<ul class="rows triage">${rows.map(row => issueListRow(row, { now }))}</ul>` : html`<p class="empty">This milestone has no issues or incidents that you can see.</p>`}
    ${total > rows.length && html`<p class="hint">The newest ${rows.length} are shown.</p>`}`
  )
}

/** The page at the `web_url` of a milestone. */
export async function showMilestone(request: FastifyRequest, reply: FastifyReply, address: string) {
  const [, isGroup, path, iid] = /^(groups\/)?(.+)\/-\/milestones\/(\d{1,15})$/.exec(address) ?? []

  if (path === undefined) return false

  const kind = isGroup ? 'groups' : 'projects'

  const found = await orUndefined(async () => {
    const source = await findMemberSource(request.em, request.viewer, kind, path)
    const [milestone] = await listMilestones(request.em, source, { iids: [Number(iid)] }).list(1)

    return milestone
  })

  // Former paths have no milestones.
  if (!found || !('title' in found)) return false
  await milestonePage(reply.code(200), request.em, found)

  return true
}
