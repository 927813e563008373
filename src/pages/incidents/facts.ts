import type { FastifyRequest } from 'fastify'
import type { EditableField } from '#incidents/edit-incident.ts'
import { type Html, html } from '../layout/html.ts'
import { markdown } from '../layout/markdown.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { ago, timeIn } from '../layout/time.ts'
import { editable } from './editable.ts'
import type { IncidentContext } from './incident-context.ts'
import type { RefusedForm } from './refused-form.ts'

export async function descriptionPart(request: FastifyRequest, context: IncidentContext, refusal?: RefusedForm) {
  const { row } = context
  const description = row.description ? await markdown(row.description) : html`<p class="hint">No description.</p>`

  return editable(
    request,
    context,
    'description',
    edit => html`
    <section class="part" id="description">
      <div class="heading"><h2>Description</h2>${edit}</div>
      ${description}
    </section>`,
    refusal
  )
}

/** Values beside the description, each edited in place. */
export async function facts(request: FastifyRequest, context: IncidentContext, now: Date, refusal?: RefusedForm) {
  const { row, projectUrl, isIncident } = context
  const fact = (name: EditableField, title: string, value: Html | string) =>
    editable(
      request,
      context,
      name,
      edit => html`<section><div class="heading"><h2>${title}</h2>${edit}</div><div>${value}</div></section>`,
      refusal
    )
  const labels = row.labels.map(
    ({ name }) => html`<a class="badge" href="${projectUrl}/${row.issue_type}s?label=${encodeURIComponent(name)}">${name}</a> `
  )

  return html`
    ${isIncident && (await fact('severity', 'Severity', severityBadge(row.severity)))}
    ${await fact('assignees', 'Assignees', row.assignees.map(({ username }) => `@${username}`).join(', ') || html`<span class="hint">none</span>`)}
    ${await fact('labels', 'Labels', labels.length > 0 ? html`${labels}` : html`<span class="hint">none</span>`)}
    ${await fact('milestone', 'Milestone', milestoneOf(row.milestone))}
    ${await fact('due_date', 'Due date', row.due_date ? dueDate(row, now) : html`<span class="hint">none</span>`)}
    ${row.is_confidential && html`<section><h2>Visibility</h2><p><span class="badge">confidential</span></p></section>`}
    <section>
      <h2>Opened</h2>
      <p>${timeIn('minute', new Date(row.created_at))} <span class="hint">${ago(new Date(row.created_at), now)}</span><br>
      by ${row.author ? html`<a href="/${row.author.username}">@${row.author.username}</a>` : 'an alert'}</p>
    </section>
    ${row.closed_at && html`<section><h2>Closed</h2><p>${timeIn('minute', new Date(row.closed_at))} <span class="hint">${ago(new Date(row.closed_at), now)}</span>${row.closed_by && html`<br>by <a href="/${row.closed_by.username}">@${row.closed_by.username}</a>`}</p></section>`}`
}

function dueDate({ due_date: due, state }: IncidentContext['row'], now: Date) {
  const isOverdue = state === 'opened' && due! < now.toISOString().slice(0, 10)

  return html`${due}${isOverdue && html` <span class="badge">overdue</span>`}`
}

function milestoneOf(milestone: IncidentContext['row']['milestone']) {
  if (!milestone) return html`<span class="hint">none</span>`
  const { title, due_date: due, full_path: path, iid, project_id: projectId } = milestone

  return html`<a href="${projectId === null ? '/groups' : ''}/${path}/-/milestones/${iid}">${title}</a>${due && html` <span class="hint">due ${timeIn('date', new Date(due))}</span>`}`
}
