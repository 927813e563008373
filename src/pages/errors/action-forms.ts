import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { EventRow } from '#errors/events/list-events.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { ErrorChanges } from '#errors/groups/group-schemas.ts'
import { plainId } from '#errors/groups/present-group.ts'
import { priorities, priorityName } from '#errors/groups/priority.ts'
import { Issue } from '#issues/issue.ts'
import { formOf } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { assignableGroups, assignableUsers } from './assignable-users.ts'
import type { ErrorContext } from './error-context.ts'
import { errorMarkdown } from './export.ts'
import { ignoreChoices, type StatusForm } from './ignore-menu.ts'

export const AssigneeForm = Type.Pick(ErrorChanges, ['assignee_id', 'assignee_group_id'])
export const PriorityForm = Type.Pick(ErrorChanges, ['priority'])

type Action = (action: string, content: Html) => Html

/** The buttons of an error. Each is a form, so that they work without a script. */
export async function actionForms(
  request: FastifyRequest,
  context: ErrorContext,
  row: EventRow | undefined,
  refused?: Form<typeof StatusForm>
) {
  const { group, errorUrl } = context
  const form: Action = (action, content) => formOf(request, { action: `${errorUrl}/${action}` }, content)

  return html`
    <div class="actions">
      ${group.status === 'unresolved' ? openActions(group, form, refused) : form('status', html`<button name="status" value="unresolved" class="plain" data-key="e">Reopen</button>`)}
      ${await assignMenu(request, context, form)}
      ${menu('Priority', form('priority', priorityChoices(group)))}
      ${menu(html`<span aria-hidden="true">⋯</span><span class="visually-hidden">More actions</span>`, await furtherActions(context, row, form), 'further')}
    </div>`
}

function openActions({ lastRelease }: ErrorGroup, form: Action, refused?: Form<typeof StatusForm>) {
  const later = html`<input type="hidden" name="status" value="resolved">
    ${lastRelease && html`<button class="quiet" name="resolved_in" value="${lastRelease}">In this release, ${lastRelease}</button>`}
    <button class="quiet" name="resolved_in" value="next">In the next release</button>`

  return html`
    <div class="split-button">
      ${form('status', html`<button name="status" value="resolved" data-key="r">Resolve</button>`)}
      ${menu(html`<span class="visually-hidden">Resolve in a release</span>`, form('status', later), 'variants')}
    </div>
    ${menu('Ignore', ignoreChoices(form, refused), '', refused?.error('number') !== undefined)}`
}

/** The users and groups that the error can be assigned to, the current user first. */
async function assignMenu(request: FastifyRequest, context: ErrorContext, form: Action) {
  const { group } = context
  const { id } = request.user
  const others = [...(await assignableUsers(request, context))].filter(([one]) => one !== id && one !== group.assigneeId)
  const groups = [...(await assignableGroups(context))].filter(([one]) => one !== group.assigneeGroupId)
  const choice = (value: number, label: string, key?: string, name = 'assignee_id') =>
    html`<button${attributes({ class: 'quiet', name, value, 'data-key': key })}>${label}</button>`

  return menu(
    'Assign',
    form(
      'assignee',
      html`
      ${group.assigneeId === id ? choice(0, 'Unassign me', 'a') : choice(id, 'Assign to me', 'a')}
      ${((group.assigneeId && group.assigneeId !== id) || group.assigneeGroupId) && choice(0, 'No assignee')}
      ${groups.map(([one, path]) => choice(one, `#${path}`, undefined, 'assignee_group_id'))}
      ${others.map(([one, username]) => choice(one, `@${username}`))}`
    )
  )
}

function priorityChoices(group: ErrorGroup) {
  const current = priorityName(group.priority)

  return html`${priorities.map(
    priority =>
      html`<button${attributes({ class: 'quiet', name: 'priority', value: priority, 'aria-pressed': priority === current && 'true' })}>${priority[0]!.toUpperCase()}${priority.slice(1)}${priority === current && html` <span class="hint">current</span>`}</button>`
  )}`
}

async function furtherActions(context: ErrorContext, row: EventRow | undefined, form: Action) {
  const { errorUrl } = context

  return html`
    ${await incidentAction(context, form)}
    ${row && html`<details><summary>Copy as Markdown…</summary>${markdownView(context, row)}</details>`}
    ${row && html`<a href="${errorUrl}/events/${plainId(row.event_id)}/json">Event as JSON</a>`}
    <a href="${errorUrl}/merged">Merged events</a>
    ${context.isMaintainer && html`<details><summary>Delete…</summary><p>The error will be deleted with all its events and comments. This cannot be undone.</p>${form('delete', html`<button>Delete this error</button>`)}</details>`}`
}

function markdownView(context: ErrorContext, row: EventRow) {
  return html`
    <textarea id="markdown" readonly rows="12" aria-label="The error as Markdown">${errorMarkdown(context, row)}</textarea>
    <button type="button" class="plain small" data-copy="#markdown" data-scripted>Copy</button>`
}

async function incidentAction({ em, group, project, projectUrl }: ErrorContext, form: Action) {
  if (project.issuesAccessLevel === 'disabled') return undefined
  const issue = group.issueId ? await em.findOne(Issue, { id: group.issueId }) : undefined

  return issue
    ? html`<a href="${projectUrl}/incidents/${issue.iid}">Incident #${issue.iid}</a>`
    : form('incident', html`<button class="quiet">Open an incident</button>`)
}

function menu(label: string | Html, content: Html, name = '', isOpen = false) {
  return html`<details${attributes({ class: `dropdown ${name}`, open: isOpen })}><summary class="button plain">${label}${name !== 'further' && html` <span class="arrow" aria-hidden="true">▾</span>`}</summary><div class="choices">${content}</div></details>`
}
