import type { FastifyRequest } from 'fastify'
import { type HistoryEntry, listHistory } from '#errors/groups/history-store.ts'
import { counted } from '#lib/counted.ts'
import { formOf } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { markdownOf } from '../layout/markdown.ts'
import { ago } from '../layout/time.ts'
import { type CommentForm, commentForm, mentionHint } from '../projects/note-history.ts'
import type { ErrorContext } from './error-context.ts'
import { section } from './event/section.ts'

const maxEntries = 100

/** Comments and changes, oldest first, and a form for a new comment. */
export async function historySection(request: FastifyRequest, context: ErrorContext, form?: Form<typeof CommentForm>) {
  const { em, group, errorUrl } = context
  const entries = (await listHistory(em, group, maxEntries)).reverse()
  const bodies = await markdownOf(entries.map(({ body }) => body ?? ''))
  const now = new Date()

  return section(
    { id: 'history', title: 'History' },
    html`
    <ol class="history" id="entries" data-live="60">
      <li><p>First seen${group.firstRelease && html` in <code>${group.firstRelease}</code>`} <span class="hint">${ago(group.firstSeenAt, now)}</span></p></li>
      ${entries.map((entry, n) => entryView(request, context, entry, bodies[n]!, now))}
    </ol>
    ${commentForm(request, `${errorUrl}/comments`, { form, hint: mentionHint })}`
  )
}

function entryView(request: FastifyRequest, { errorUrl, isMaintainer }: ErrorContext, entry: HistoryEntry, body: Html, now: Date) {
  const name = html`<strong>${entry.author?.username ?? 'Tocsin'}</strong>`
  const at = html`<span class="hint">${ago(entry.created_at, now)}</span>`

  if (entry.kind !== 'comment') return html`<li><p>${name} ${describeChange(entry)} ${at}</p></li>`
  const isDeletable = isMaintainer || entry.author?.id === request.user.id

  return html`
    <li class="comment" id="comment-${entry.id}">
      <p>${name} ${at} ${isDeletable && deleteForm(request, `${errorUrl}/comments/${entry.id}/delete`)}</p>
      <div>${body}</div>
    </li>`
}

function deleteForm(request: FastifyRequest, action: string) {
  return html`<details class="inline"><summary>Delete</summary>${formOf(request, { action }, html`<button class="plain small">Delete this comment</button>`)}</details>`
}

/** What a user did, as the end of a sentence that begins with the name. */
function describeChange({ kind, details, assignee }: HistoryEntry) {
  if (kind === 'regressed') return 'reopened it, because it occurred again'
  if (kind === 'errors_merged')
    return `merged ${[details?.fingerprints]
      .flat()
      .map(id => `#${id}`)
      .join(', ')} into it`
  if (kind === 'error_unmerged') return `unmerged #${details?.into} from it`
  const { status, resolved_in: release, commit, ignored_for: minutes, ignored_for_events: events, ignored_for_users: users } = details ?? {}
  const { priority, rule } = details ?? {}
  const changes = [
    status === 'resolved' &&
      `resolved it${release === 'next' ? ' in the next release' : release ? ` in ${release}` : ''}${commit ? `, which has the fix ${String(commit).slice(0, 8)}` : ''}`,
    status === 'ignored' &&
      `ignored it${minutes ? ` for ${writeMinutes(Number(minutes))}` : events ? ` for ${events} events` : users ? ` for ${users} users` : ''}`,
    status === 'unresolved' && 'reopened it',
    details && ('assignee_id' in details || 'assignee_group_id' in details) && (assignee ? `assigned it to ${assignee}` : 'unassigned it'),
    priority && `set its priority to ${priority}`
  ]

  return `${changes.filter(Boolean).join(' and ') || 'changed it'}${rule ? `, by the rule ${rule}` : ''}`
}

function writeMinutes(minutes: number) {
  if (minutes % 1440 === 0) return counted(minutes / 1440, 'day')

  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute')
}
