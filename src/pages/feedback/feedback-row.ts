import type { FastifyRequest } from 'fastify'
import type { FeedbackStatus } from '#errors/feedback/feedback-store.ts'
import type { FeedbackRow } from '#errors/feedback/list-feedback.ts'
import { byteSize } from '#lib/counted.ts'
import { typeOfName } from '#lib/image-type.ts'
import { externalLink } from '../layout/external-link.ts'
import { formOf } from '../layout/field.ts'
import { attributes, html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'

interface View {
  context: PageContext
  /** Usernames by id. */
  people: Map<number, string>
  /** Of the list. */
  status: FeedbackStatus
  files: { id: number; filename: string; size: number }[]
  now: Date
}

export function feedbackRow(request: FastifyRequest, row: FeedbackRow, view: View) {
  const { id, name, email, comments, received_at: at, assignee_id: assigneeId } = row
  const { context, people, status, files, now } = view

  return html`
    <li id="feedback-${id}">
      <div>
        <p><strong>${name || email || 'Anonymous'}</strong> <span class="hint">${ago(at, now)}${assigneeId !== null && ` · @${people.get(assigneeId) ?? assigneeId}`}</span></p>
        <p class="user-text">${comments}</p>
        ${screenshots(context, id, files)}
        <p class="hint">${hints(context, row)}</p>
        ${buttons(request, { id, email, assigneeId }, { context, people, status })}
      </div>
    </li>`
}

function hints({ projectUrl }: PageContext, { group_id: groupId, event_id: eventId, url, release, environment }: FeedbackRow) {
  const given = [
    groupId !== null && html`<a href="${projectUrl}/errors/${groupId}/events/${eventId!.replaceAll('-', '')}">Error</a>`,
    url && externalLink(url, url),
    release && html`<a href="${projectUrl}/releases/${encodeURIComponent(release)}">${release}</a>`,
    environment
  ].filter(Boolean)

  return given.map((hint, n) => html`${n > 0 && ' · '}${hint}`)
}

function screenshots({ project }: PageContext, feedbackId: number, files: View['files']) {
  if (files.length === 0) return undefined
  const url = (id: number) => `/api/v4/projects/${project.id}/error_tracking/feedback/${feedbackId}/attachments/${id}`

  return html`<p class="screenshots">${files.map(({ id, filename, size }) =>
    typeOfName(filename)
      ? html`<a href="${url(id)}"><img src="${url(id)}" alt="${filename}" loading="lazy"></a>`
      : html`<a href="${url(id)}" download>${filename}</a> <span class="hint">${byteSize(size)}</span> `
  )}</p>`
}

function buttons(
  request: FastifyRequest,
  { id, email, assigneeId }: { id: number; email: string; assigneeId: number | null },
  { context, people, status }: Pick<View, 'context' | 'people' | 'status'>
) {
  const action = `${context.projectUrl}/feedback/${id}`
  const from = html`<input type="hidden" name="from" value="${status}">`
  const button = (to: FeedbackStatus, label: string) => html`<button class="plain small" name="status" value="${to}">${label}</button>`

  return html`
    <div class="actions">
      ${/^[^\s@?&]+@[^\s@?&]+$/.test(email) && html`<a class="button plain small" href="mailto:${email}">Answer</a>`}
      ${formOf(
        request,
        { action, class: 'inline' },
        html`${from}${status === 'open' ? html`${button('resolved', 'Resolve')} ${button('spam', 'Spam')}` : button('open', 'Reopen')}`
      )}
      ${formOf(
        request,
        { action, class: 'inline' },
        html`${from}<label class="visually-hidden" for="assignee-${id}">Assign to</label><select id="assignee-${id}" name="assignee"><option value="0">Unassigned</option>${[...people].map(([userId, username]) => html`<option${attributes({ value: userId, selected: userId === assigneeId })}>@${username}</option>`)}</select> <button class="plain small">Assign</button>`
      )}
    </div>`
}
