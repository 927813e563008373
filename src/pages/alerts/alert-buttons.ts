import type { FastifyRequest } from 'fastify'
import type { AlertStatus } from '#alerts/alert.ts'
import { formOf } from '../layout/field.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { assigneePicker } from '../projects/assignee-picker.ts'
import type { AlertView } from './alert-view.ts'

type Action = [status: AlertStatus, label: string, key: string]

const acknowledge: Action = ['acknowledged', 'Acknowledge', 'c']
const resolve: Action = ['resolved', 'Resolve', 'r']
const ignore: Action = ['ignored', 'Ignore', 'i']
const reopen: Action = ['triggered', 'Reopen', 'e']

/** By the status of the alert; the first one is the usual next step. */
const nextActions: Record<AlertStatus, Action[]> = {
  triggered: [acknowledge, resolve, ignore],
  acknowledged: [resolve, ['triggered', 'Mark as triggered', 'e'], ignore],
  resolved: [reopen],
  ignored: [reopen, resolve]
}

/** Each button is a form, so that it works without a script. */
export async function alertButtons(request: FastifyRequest, view: AlertView) {
  const { details, alertUrl } = view
  const form = (action: string, content: Html) => formOf(request, { action: `${alertUrl}/${action}` }, content)
  const isOpen = details.status === 'triggered' || details.status === 'acknowledged'

  return html`
    <div class="actions">
      ${nextActions[details.status].map(([status, label, key], n) =>
        form(
          'status',
          html`<button${attributes({ name: 'status', value: status, class: n > 0 || !isOpen ? 'plain' : undefined, 'data-key': key })}>${label}</button>`
        )
      )}
      ${await assignMenu(request, view)}
      ${incident(view, form)}
    </div>`
}

/** The current user first; then who is assigned, and a search for others. It stays open while it has results. */
async function assignMenu(request: FastifyRequest, view: AlertView) {
  const { details, alertUrl } = view
  const { id } = request.user
  const isMine = details.assignees.some(assignee => assignee.id === id)
  const action = `${alertUrl}/assignee`
  const isSearched = Boolean((request.query as { member?: string }).member)

  return html`
    <details${attributes({ class: 'dropdown', open: isSearched })}>
      <summary class="button plain">Assign <span class="arrow" aria-hidden="true">▾</span></summary>
      <div class="choices">
        ${formOf(request, { action }, html`<button name="${isMine ? 'remove' : 'add'}" value="${id}" class="quiet" data-key="a">${isMine ? 'Unassign me' : 'Assign to me'}</button>`)}
        ${await assigneePicker(request, view, { action, assignees: details.assignees.filter(assignee => assignee.id !== id) })}
      </div>
    </details>`
}

function incident({ details, project, projectUrl }: AlertView, form: (action: string, content: Html) => Html) {
  if (project.issuesAccessLevel === 'disabled') return undefined
  if (details.issue_iid !== null)
    return html`<a class="button plain" href="${projectUrl}/incidents/${details.issue_iid}">Incident #${details.issue_iid}</a>`

  return form('incident', html`<button class="plain">Create incident</button>`)
}
