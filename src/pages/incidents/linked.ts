import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Alert } from '#alerts/alert.ts'
import { ErrorGroup } from '#errors/groups/error-group.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { formOf } from '../layout/field.ts'
import { Form } from '../layout/form.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { statusBadge } from '../layout/status-badge.ts'
import { ago } from '../layout/time.ts'
import type { IncidentContext } from './incident-context.ts'
import { type RefusedForm, refusalOf, refusedForm } from './refused-form.ts'

const maxLinked = 100
/** Changes of further alerts are seen a minute later. */
const maxTopics = 5

/** Each form has one of the fields. */
export const LinkForm = Type.Object({ alert: Type.Optional(Type.String()), error: Type.Optional(Type.String()) })

export function findLinkedAlerts({ em, issue, isMonitoring }: IncidentContext) {
  return isMonitoring ? em.find(Alert, { issueId: issue.id }, { orderBy: { iid: 'asc' }, limit: maxLinked }) : []
}

/** The alerts of an incident. Reporters, who see no alerts, see their numbers. */
export function linkedAlerts(request: FastifyRequest, context: IncidentContext, alerts: Alert[], now: Date, refusal?: RefusedForm) {
  const { row, projectUrl, isMonitoring } = context

  if (!isMonitoring)
    return (
      row.alert_iids.length > 0 &&
      html`<section id="alerts"><h2>Alerts</h2><p>${row.alert_iids.map(iid => `#${iid}`).join(', ')}</p></section>`
    )

  return linked(request, context, {
    kind: 'alert',
    topics: alerts.slice(0, maxTopics).map(({ projectId, iid }) => `alerts:${projectId}:${iid}`),
    label: 'Alert number',
    refusal,
    rows: alerts.map(({ iid, title, severity, status, startedAt }) => ({
      id: iid,
      content: html`
      <p>${severityBadge(severity)} <a href="${projectUrl}/alerts/${iid}">${title}</a></p>
      <p class="hint">${statusBadge(status)} #${iid} · started ${ago(startedAt, now)}</p>`
    }))
  })
}

export async function linkedErrors(request: FastifyRequest, context: IncidentContext, now: Date, refusal?: RefusedForm) {
  const { em, issue, projectUrl, isMonitoring } = context

  if (!isMonitoring) return undefined
  const groups = await em.find(ErrorGroup, { issueId: issue.id }, { orderBy: { lastSeenAt: 'desc' }, limit: maxLinked })

  return linked(request, context, {
    kind: 'error',
    label: 'Error number or URL',
    refusal,
    rows: groups.map(group => ({
      id: group.id,
      content: html`
      <p><a href="${projectUrl}/errors/${group.id}">${titleOf(group)}</a></p>
      <p class="hint">${group.status} · last seen ${ago(group.lastSeenAt, now)}</p>`
    }))
  })
}

interface Linked {
  kind: 'alert' | 'error'
  label: string
  /** What the list is told of. */
  topics?: string[]
  rows: { id: number; content: Html }[]
  refusal: RefusedForm | undefined
}

function linked(request: FastifyRequest, { incidentUrl }: IncidentContext, { kind, label, rows, topics = [], refusal }: Linked) {
  const url = `${incidentUrl}/${kind}s`
  const form = refusedForm(refusal, kind) ?? new Form(LinkForm)
  const unlink = (id: number) =>
    formOf(
      request,
      { action: `${url}/${id}/unlink` },
      html`<button class="plain small">Unlink<span class="visually-hidden"> #${id}</span></button>`
    )

  return html`
    <section id="${kind}s" data-live="60"${attributes({ 'data-topics': topics.join() || undefined })}>
      <h2>${kind === 'alert' ? 'Alerts' : 'Errors'}</h2>
      ${rows.length > 0 ? html`<ul class="rows">${rows.map(({ id, content }) => html`<li><div>${content}</div>${unlink(id)}</li>`)}</ul>` : html`<p class="hint">No linked ${kind}s.</p>`}
      <details${refusal?.name === kind && html` open`}><summary class="button plain small">Link an ${kind}</summary>
        ${refusalOf(refusal, kind)}
        ${form.render(
          request,
          { action: url, class: 'inline-form' },
          html`${form.field(kind, { label, isRequired: true, attributes: { placeholder: label } })}<button class="plain small">Link</button>`
        )}
      </details>
    </section>`
}
