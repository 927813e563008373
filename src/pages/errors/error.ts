import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { EventRow } from '#errors/events/list-events.ts'
import { readEvent } from '#errors/events/payload.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { shortIdOf, titleOf } from '#errors/groups/present-group.ts'
import { findMoveProgress } from '#errors/merge/pending-moves.ts'
import { count, counted, nounFor } from '#lib/counted.ts'
import { confirmation, isAsked } from '../layout/confirmation.ts'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { ago, timeIn } from '../layout/time.ts'
import type { CommentForm } from '../projects/note-history.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type AssigneeForm, actionForms, type PriorityForm } from './action-forms.ts'
import { assigneeNames } from './assignee-names.ts'
import { errorBadges } from './error-badges.ts'
import { type ErrorContext, errorContext, requestedEvent } from './error-context.ts'
import { errorSide } from './error-side.ts'
import { eventNavigation } from './event/event-navigation.ts'
import { eventSections } from './event/event-sections.ts'
import { historySection } from './history.ts'
import type { StatusForm } from './ignore-menu.ts'

const path = '/projects/:id/errors/:fingerprint'

export async function errorPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const url of [path, `${path}/events/:event_id`]) {
    app.get<{ Params: { fingerprint: string } }>(url, guard, async (request, reply) => {
      const context = await errorContext(request)

      // The error was merged into another.
      if (String(context.group.id) !== request.params.fingerprint) return redirect(reply, context.errorUrl, 302)

      return showError(request, reply, context)
    })
  }
}

/** Forms that were refused. */
interface Refused {
  status?: Form<typeof StatusForm>
  assignee?: Form<typeof AssigneeForm>
  priority?: Form<typeof PriorityForm>
  comment?: Form<typeof CommentForm>
}

export async function showError(request: FastifyRequest, reply: FastifyReply, context: ErrorContext, refused: Refused = {}) {
  const title = titleOf(context.group)
  const row = await requestedEvent(request, context)

  return projectPage(
    reply,
    context,
    { title, tab: 'errors' },
    html`
    <div class="error-page">
      ${await errorHeader(request, context, row, refused)}
      <div class="error-body">
        <div class="error-main">
          ${await eventView(request, context, row)}
          ${await historySection(request, context, refused.comment)}
        </div>
        <aside class="error-side" id="error-side" data-live="60" aria-label="About this error">${await errorSide(request, context, row)}</aside>
      </div>
    </div>`
  )
}

async function eventView(request: FastifyRequest, context: ErrorContext, row: EventRow | undefined): Promise<Html> {
  if (!row) return html`<p class="empty">The events of this error have expired. Its counts and history remain.</p>`

  return html`${await eventNavigation(request, context, row)}${await eventSections(request, context, row, readEvent(row))}`
}

/** What the error is in one line, and what can be done about it. */
async function errorHeader(request: FastifyRequest, context: ErrorContext, row: EventRow | undefined, refused: Refused) {
  const { em, group } = context
  const now = new Date()
  const moves = await findMoveProgress(em, group)
  const actions = await actionForms(request, context, row, refused.status)
  const assignee = (await assigneeNames(em, [group]))(group)

  return html`
    <header class="error-head" id="error" data-live="60" data-topics="errors:${group.projectId}:${group.id}">
      <p class="culprit">${errorBadges(group, now)} <span title="Commits with “Fixes ${shortIdOf(context.project.path, group.id)}” resolve it once they are deployed">${shortIdOf(context.project.path, group.id)}</span> ${group.actor}</p>
      <h1>${group.name}${group.description && group.description !== group.name && html`<span class="message">${group.description}</span>`}</h1>
      <p class="hint"><b>${count(group.events)}</b> ${nounFor(group.events, 'event')} · <b>${count(group.users)}</b> ${nounFor(group.users, 'user')} · first seen ${ago(group.firstSeenAt, now)} · last seen ${ago(group.lastSeenAt, now)}${assignee && html` · assigned to <b>${assignee}</b>`}${state(group)}</p>
      ${moves && html`<p class="made" role="status">Events are being moved: ${count(moves.moved)}${moves.total !== null && ` of ${count(moves.total)}`}. Counts of this page change until that is done.</p>`}
      ${refused.status?.notices()}
      ${refused.assignee?.notices()}
      ${refused.priority?.notices()}
      ${
        isAsked(request, 'resolve') && group.status === 'unresolved'
          ? confirmation(request, {
              question: 'Resolve this error?',
              action: `${context.errorUrl}/status`,
              name: 'status',
              value: 'resolved',
              label: 'Resolve',
              backUrl: context.errorUrl
            })
          : actions
      }
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
