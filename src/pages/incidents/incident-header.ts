import type { FastifyRequest } from 'fastify'
import type { Alert } from '#alerts/alert.ts'
import { counted } from '#lib/counted.ts'
import { formOf } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { statusBadge } from '../layout/status-badge.ts'
import { duration } from '../layout/time.ts'
import { editable } from './editable.ts'
import type { IncidentContext } from './incident-context.ts'
import type { RefusedForm } from './refused-form.ts'

/** What it is, how bad, for how long, and the buttons. */
export async function incidentHeader(request: FastifyRequest, context: IncidentContext, alerts: Alert[], now: Date, refusal?: RefusedForm) {
  const { row, isIncident } = context
  const isOpen = row.state === 'opened'
  const lasted = duration((row.closed_at ? new Date(row.closed_at) : now).getTime() - new Date(row.created_at).getTime())

  return html`
    <header class="error-head" id="incident" data-live="60" data-topics="issues:${row.project_id}:${row.iid}">
      ${await editable(request, context, 'title', edit => html`<h1>${row.title} ${edit}</h1>`, refusal)}
      <p>
        ${isIncident && severityBadge(row.severity)} ${statusBadge(isOpen ? 'open' : 'closed')}
        <span class="hint">#${row.iid} · ${isOpen ? 'open for' : 'closed after'} ${lasted}</span>
      </p>
      <div class="actions">
        ${isOpen ? closeForm(request, context, alerts) : stateForm(request, context, 'reopen', 'Reopen')}
        ${assignForm(request, context)}
      </div>
    </header>`
}

/** Closing also resolves open alerts, so it asks first. */
function closeForm(request: FastifyRequest, context: IncidentContext, alerts: Alert[]) {
  const open = alerts.filter(({ status }) => status !== 'resolved')
  const noun = context.isIncident ? 'incident' : 'issue'

  if (open.length === 0) return stateForm(request, context, 'close', `Close ${noun}`)

  return html`
    <details class="dropdown"><summary class="button">Close incident …</summary><div class="choices"><p>Closing it also resolves ${counted(open.length, 'open alert')}: ${open.map(({ iid }) => `#${iid}`).join(', ')}.</p>${stateForm(request, context, 'close', 'Close and resolve')}</div></details>`
}

function stateForm(request: FastifyRequest, { incidentUrl }: IncidentContext, event: 'close' | 'reopen', label: string): Html {
  return formOf(
    request,
    { action: `${incidentUrl}/state` },
    html`<input type="hidden" name="state_event" value="${event}"><button${event === 'reopen' && html` class="plain"`}>${label}</button>`
  )
}

function assignForm(request: FastifyRequest, { row, incidentUrl }: IncidentContext) {
  const isMine = row.assignees.some(({ id }) => id === request.user.id)

  return formOf(
    request,
    { action: `${incidentUrl}/assignee` },
    html`<button class="plain" name="assigned" value="${isMine ? 'no' : 'yes'}">${isMine ? 'Unassign me' : 'Assign to me'}</button>`
  )
}
