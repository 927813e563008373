import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findLatestUpdate } from '#issues/find-latest-update.ts'
import { type IncidentStatus, incidentStatuses } from '#issues/issue-note.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { markdown } from '../layout/markdown.ts'
import { ago } from '../layout/time.ts'
import { CommentForm, commentInvalid } from '../projects/note-history.ts'
import type { IncidentContext } from './incident-context.ts'
import { type RefusedForm, refusedForm } from './refused-form.ts'

export const StatusUpdateForm = Type.Object({ incident_status: Type.Enum([...incidentStatuses]), ...CommentForm.properties })

/** The latest status update, which says how far the incident is, and a form for the next one. */
export async function statusUpdates(request: FastifyRequest, context: IncidentContext, now: Date, refusal?: RefusedForm) {
  const { em, issue } = context
  const latest = await findLatestUpdate(em, issue.id)

  return html`
    <section class="update" aria-label="Latest status update">
      <div id="latest-update" data-live="60">${
        latest
          ? html`<p>${incidentStatusBadge(latest.incident_status)} <strong>${latest.author?.username ?? 'Tocsin'}</strong> <span class="hint">${ago(new Date(latest.created_at), now)}</span></p>
          ${await markdown(latest.body)}`
          : html`<p class="hint">No status update yet.</p>`
      }</div>
      <details${refusal?.name === 'status_update' && html` open`}><summary class="button plain small">Post a status update</summary>${updateForm(request, context, latest?.incident_status, refusal)}</details>
    </section>`
}

export function incidentStatusBadge(status: IncidentStatus) {
  return html`<span class="badge ${status === 'resolved' ? 'good' : 'update-status'}">${status}</span>`
}

function updateForm(request: FastifyRequest, { incidentUrl }: IncidentContext, latest?: IncidentStatus, refusal?: RefusedForm) {
  const form = refusedForm(refusal, 'status_update') ?? new Form(StatusUpdateForm, { incident_status: latest ?? 'investigating' })

  return form.render(
    request,
    { action: `${incidentUrl}/status_updates` },
    html`
    ${form.select('incident_status', {
      label: 'Status',
      invalid: 'Choose a status.',
      options: incidentStatuses.map(status => [status, status])
    })}
    ${form.textArea('body', {
      id: 'update-body',
      label: 'What members should know',
      invalid: commentInvalid,
      hint: 'Shown first to everyone who opens this incident.'
    })}
    <button>Post update</button>`
  )
}
