import type { FastifyRequest } from 'fastify'
import { findLatestUpdate } from '#issues/find-latest-update.ts'
import { type IncidentStatus, incidentStatuses } from '#issues/issue-note.ts'
import { formOf, selectField, textArea } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { markdown } from '../layout/markdown.ts'
import { ago } from '../layout/time.ts'
import type { IncidentContext } from './incident-context.ts'
import { type RefusedForm, refusalOf } from './refused-form.ts'

/** The latest status update, which says how far the incident is, and a form for the next one. */
export async function statusUpdates(request: FastifyRequest, context: IncidentContext, now: Date, refusal?: RefusedForm) {
  const { em, issue } = context
  const latest = await findLatestUpdate(em, issue.id)

  return html`
    <section class="update" aria-label="Latest status update">
      ${
        latest
          ? html`<p>${incidentStatusBadge(latest.incident_status)} <strong>${latest.author?.username ?? 'Tocsin'}</strong> <span class="hint">${ago(new Date(latest.created_at), now)}</span></p>
          ${await markdown(latest.body)}`
          : html`<p class="hint">No status update yet.</p>`
      }
      <details${refusal?.form === 'status_update' && html` open`}><summary class="button plain small">Post a status update</summary>${updateForm(request, context, latest?.incident_status, refusal)}</details>
    </section>`
}

export function incidentStatusBadge(status: IncidentStatus) {
  return html`<span class="badge ${status === 'resolved' ? 'good' : 'update-status'}">${status}</span>`
}

function updateForm(request: FastifyRequest, { incidentUrl }: IncidentContext, latest?: IncidentStatus, refusal?: RefusedForm) {
  const isTyped = refusal?.form === 'status_update'

  return formOf(
    request,
    { action: `${incidentUrl}/status_updates` },
    html`
    ${refusalOf(refusal, 'status_update')}
    ${selectField({
      name: 'incident_status',
      label: 'Status',
      value: isTyped ? textOf(request, 'incident_status') : (latest ?? 'investigating'),
      options: incidentStatuses.map(status => [status, status])
    })}
    ${textArea({
      name: 'body',
      id: 'update-body',
      label: 'What members should know',
      value: isTyped ? textOf(request, 'body') : '',
      hint: 'Shown first to everyone who opens this incident.'
    })}
    <button>Post update</button>`
  )
}
