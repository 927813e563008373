import type { FastifyRequest } from 'fastify'
import type { EventRow } from '#errors/events/list-events.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { findMoveProgress } from '#errors/merge/pending-moves.ts'
import { count, counted, nounFor } from '#lib/counted.ts'
import type { Problems } from '../layout/attempt.ts'
import { html } from '../layout/html.ts'
import { ago, timeIn } from '../layout/time.ts'
import { actionForms } from './action-forms.ts'
import { errorBadges } from './error-badges.ts'
import type { ErrorContext } from './error-context.ts'

/** What the error is in one line, and what can be done about it. */
export async function errorHeader(request: FastifyRequest, context: ErrorContext, row: EventRow | undefined, problems: Problems) {
  const { em, group } = context
  const now = new Date()
  const moves = await findMoveProgress(em, group)

  return html`
    <header class="error-head">
      <p class="culprit">${errorBadges(group, now)} ${group.actor}</p>
      <h1>${group.name}${group.description && group.description !== group.name && html`<span class="message">${group.description}</span>`}</h1>
      <p class="hint"><b>${count(group.events)}</b> ${nounFor(group.events, 'event')} · <b>${count(group.users)}</b> ${nounFor(group.users, 'user')} · first seen ${ago(group.firstSeenAt, now)} · last seen ${ago(group.lastSeenAt, now)}${state(group)}</p>
      ${moves && html`<p class="made" role="status">Events are being moved: ${count(moves.moved)}${moves.total !== null && ` of ${count(moves.total)}`}. Counts of this page change until that is done.</p>`}
      ${Object.entries(problems).map(([name, problem]) => name !== 'body' && html`<p class="problem" role="alert">${problem}</p>`)}
      ${await actionForms(request, context, row)}
    </header>`
}

/** Until when it is ignored, or in which release it is resolved. */
function state({ status, resolvedIn, isResolvedInNext, ignoredUntil, ignoredUntilEvents, ignoredUntilUsers }: ErrorGroup) {
  if (status === 'resolved' && isResolvedInNext) return html` · resolved in the release after ${resolvedIn ?? 'the first'}`
  if (status === 'resolved' && resolvedIn) return html` · resolved in ${resolvedIn}`
  if (status === 'ignored' && ignoredUntil) return html` · ignored until ${timeIn('minute', ignoredUntil)}`
  if (status === 'ignored' && ignoredUntilEvents) return html` · ignored until ${counted(ignoredUntilEvents, 'event')}`
  if (status === 'ignored' && ignoredUntilUsers) return html` · ignored until ${counted(ignoredUntilUsers, 'user')}`

  return undefined
}
