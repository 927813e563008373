import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { EventRow } from '#errors/events/list-events.ts'
import { readPayload } from '#errors/events/payload.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import type { Problems } from '../layout/attempt.ts'
import { type Html, html } from '../layout/html.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type ErrorContext, errorContext, requestedEvent } from './error-context.ts'
import { errorHeader } from './error-header.ts'
import { errorSide } from './error-side.ts'
import { eventNavigation } from './event/event-navigation.ts'
import { eventSections } from './event/event-sections.ts'
import { historySection } from './history.ts'

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

export async function showError(request: FastifyRequest, reply: FastifyReply, context: ErrorContext, problems: Problems = {}) {
  const title = titleOf(context.group)
  const row = await requestedEvent(request, context)

  return projectPage(
    reply,
    context,
    { title, tab: 'errors' },
    html`
    <div class="error-page">
      ${await errorHeader(request, context, row, problems)}
      <div class="error-body">
        <div class="error-main">
          ${await eventView(request, context, row)}
          ${await historySection(request, context, problems.body)}
        </div>
        <aside class="error-side" aria-label="About this error">${await errorSide(request, context)}</aside>
      </div>
    </div>`
  )
}

async function eventView(request: FastifyRequest, context: ErrorContext, row: EventRow | undefined): Promise<Html> {
  if (!row) return html`<p class="empty">The events of this error have expired. Its counts and history remain.</p>`

  return html`${await eventNavigation(request, context, row)}${await eventSections(request, context, row, readPayload(row.payload))}`
}
