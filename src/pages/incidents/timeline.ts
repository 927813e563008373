import type { FastifyRequest } from 'fastify'
import type { IssueNoteRow } from '#issues/present-issue.ts'
import { listNotes } from '#projects/list-notes.ts'
import { type Html, html } from '../layout/html.ts'
import { markdownOf } from '../layout/markdown.ts'
import { ago, timeIn } from '../layout/time.ts'
import { numberedPage } from '../list.ts'
import { commentForm, mentionHint, renderBold } from '../projects/note-history.ts'
import { type CommentView, commentButtons, commentView, editedAt } from './comment-view.ts'
import type { IncidentContext } from './incident-context.ts'
import { type RefusedForm, refusedForm } from './refused-form.ts'
import { incidentStatusBadge } from './status-updates.ts'

const perPage = 100

/** Everything that happened, oldest first: changes, status updates and comments. */
export async function timeline(request: FastifyRequest, context: IncidentContext, now: Date, refusal?: RefusedForm) {
  const { em, issue, incidentUrl } = context
  const page = await numberedPage(request, listNotes<IssueNoteRow>(em, 'issue', issue.id, { sort: 'desc' }), perPage)
  const { previous: newer, next: older } = page
  const notes = page.rows.reverse()
  const bodies = await markdownOf(notes.map(({ action, body }) => (action ? '' : body)))
  const timelineUrl = page.number > 1 ? `${incidentUrl}?page=${page.number}` : incidentUrl

  return html`
    <section class="part" id="timeline">
      <h2>Timeline</h2>
      ${older && html`<p><a href="${incidentUrl}?page=${older}#timeline">Older entries</a></p>`}
      <ol class="history" id="entries" data-live="60">
        ${!older && opened(context, now)}
        ${notes.map((note, n) => entry(request, context, note, now, { timelineUrl, refusal, body: bodies[n]! }))}
      </ol>
      ${newer && html`<p><a href="${incidentUrl}?page=${newer}#timeline">Newer entries</a></p>`}
      ${commentForm(request, `${incidentUrl}/notes`, { form: refusedForm(refusal, 'comment'), hint: mentionHint })}
    </section>`
}

function opened({ row, isIncident }: IncidentContext, now: Date) {
  const noun = isIncident ? 'incident' : 'issue'

  return html`<li>${line(html`<strong>${row.author?.username ?? 'Tocsin'}</strong> opened the ${noun}`, row.created_at, now)}</li>`
}

function entry(request: FastifyRequest, context: IncidentContext, note: IssueNoteRow, now: Date, view: CommentView) {
  const { action, author, body, created_at: at, id, incident_status: status } = note
  const name = html`<strong>${author?.username ?? 'Tocsin'}</strong>`

  if (action) return html`<li>${line(html`${name} ${changeText(body, context)}`, at, now)}</li>`
  const did = status ? html`${name} posted an update: ${incidentStatusBadge(status)}` : html`${name} commented`

  return html`
    <li class="comment" id="note-${id}">
      <div class="entry">${line(did, at, now, editedAt(note, now))}${commentButtons(request, context, note, view.timelineUrl)}</div>
      ${commentView(request, context, note, view)}
    </li>`
}

/** What happened, and when: absolute to compare entries, relative to read quickly. */
function line(what: Html, at: string, now: Date, edited?: Html | false) {
  const time = new Date(at)

  return html`<p>${what} <span class="hint">${timeIn('minute', time)} · ${ago(time, now)}${edited}</span></p>`
}

/** The text of a system note, with links to the alerts that it names. */
function changeText(text: string, { projectUrl, isMonitoring }: IncidentContext) {
  return text.split(/\^alert#(\d+)/).map((part, n) => {
    if (n % 2 === 0) return withLabels(part)

    return isMonitoring ? html`<a href="${projectUrl}/alerts/${part}">#${part}</a>` : `#${part}`
  })
}

/** `~"bug"` is the label. */
function withLabels(text: string) {
  return text.split(/~"([^"]*)"/).map((part, n) => (n % 2 === 1 ? html`<span class="badge">${part}</span>` : renderBold(part)))
}
