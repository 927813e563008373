import type { FastifyRequest } from 'fastify'
import type { EventRow } from '#errors/events/list-events.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { plainId } from '#errors/groups/present-group.ts'
import { Issue } from '#issues/issue.ts'
import { formOf } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import type { ErrorContext } from './error-context.ts'
import { errorMarkdown } from './export.ts'
import { ignoreChoices } from './ignore-menu.ts'

/** The buttons of an error. Each is a form, so that they work without a script. */
export async function actionForms(request: FastifyRequest, context: ErrorContext, row: EventRow | undefined) {
  const { group, errorUrl } = context
  const form = (action: string, content: Html) => formOf(request, { action: `${errorUrl}/${action}` }, content)
  const { id } = request.user
  const isMine = group.assigneeId === id

  return html`
    <div class="actions">
      ${group.status === 'unresolved' ? openActions(group, form) : form('status', html`<button name="status" value="unresolved" class="plain" data-key="e">Reopen</button>`)}
      ${form('assignee', html`<button name="assignee_id" value="${isMine ? 0 : id}" class="plain" data-key="a">${isMine ? 'Unassign me' : 'Assign to me'}</button>`)}
      ${await incidentAction(context, form)}
      ${row && menu('Copy as Markdown', markdownView(context, row), 'wide')}
      ${row && html`<a class="button plain" href="${errorUrl}/events/${plainId(row.event_id)}/json">JSON</a>`}
      ${context.isMaintainer && menu('Delete …', html`<p>The error will be deleted with all its events and comments. This cannot be undone.</p>${form('delete', html`<button>Delete this error</button>`)}`)}
    </div>`
}

function markdownView(context: ErrorContext, row: EventRow) {
  return html`
    <textarea id="markdown" readonly rows="12" aria-label="The error as Markdown">${errorMarkdown(context, row)}</textarea>
    <button type="button" class="plain small" data-copy="#markdown" data-scripted>Copy</button>`
}

async function incidentAction({ em, group, project, projectUrl }: ErrorContext, form: (action: string, content: Html) => Html) {
  if (project.issuesAccessLevel === 'disabled') return undefined
  const issue = group.issueId ? await em.findOne(Issue, { id: group.issueId }) : undefined

  return issue
    ? html`<a class="button plain" href="${projectUrl}/incidents/${issue.iid}">Incident #${issue.iid}</a>`
    : form('incident', html`<button class="plain">Open an incident</button>`)
}

function openActions({ lastRelease }: ErrorGroup, form: (action: string, content: Html) => Html) {
  return html`
    ${form('status', html`<button name="status" value="resolved" data-key="r">Resolve</button>`)}
    ${menu(
      'Resolve in …',
      form(
        'status',
        html`<input type="hidden" name="status" value="resolved">
        ${lastRelease && html`<button class="quiet" name="resolved_in" value="${lastRelease}">This release, ${lastRelease}</button>`}
        <button class="quiet" name="resolved_in" value="next">The next release</button>`
      )
    )}
    ${menu('Ignore …', ignoreChoices(form))}`
}

function menu(label: string, content: Html, width = '') {
  return html`<details class="dropdown"><summary class="button plain">${label}</summary><div class="choices ${width}">${content}</div></details>`
}
