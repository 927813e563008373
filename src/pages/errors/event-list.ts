import type { FastifyInstance } from 'fastify'
import { type EventFacts, listEventFacts } from '#errors/events/list-events.ts'
import { plainId, titleOf } from '#errors/groups/present-group.ts'
import { html } from '../layout/html.ts'
import { timeIn } from '../layout/time.ts'
import { byTime, cursorPage, listAddress, pager } from '../list.ts'
import { projectPage } from '../projects/project-page.ts'
import { releaseUrl } from '../releases/release-row.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { levelBadge } from './error-badges.ts'
import { type ErrorContext, errorContext } from './error-context.ts'

/** Tags that tell events apart. */
const shownTags = ['transaction', 'url', 'browser', 'runtime', 'server_name']
const maxShown = 3

/** The stored events of an error, newest first. */
export async function eventListPage(app: FastifyInstance) {
  app.get('/projects/:id/errors/:fingerprint/events', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await errorContext(request)
    const { em, group, errorUrl } = context
    const page = await cursorPage(listEventFacts(em, group), (request.query as { cursor?: string }).cursor)
    const title = titleOf(group)

    return projectPage(
      reply,
      context,
      { title: `Events of ${title}`, tab: 'errors' },
      html`
      <h1>Events</h1>
      <p class="lead">Stored events of <a href="${errorUrl}">${title}</a>, newest first.</p>
      ${page.rows.length > 0 ? table(context, page.rows) : html`<p class="empty">The events of this error have expired.</p>`}
      ${pager(page, cursor => listAddress(`${errorUrl}/events`, { cursor }), byTime)}`
    )
  })
}

function table(context: ErrorContext, rows: EventFacts[]) {
  return html`
    <table class="stacked">
      <thead><tr><th scope="col">Event</th><th scope="col">Time</th><th scope="col">Level</th><th scope="col">Environment</th><th scope="col">Release</th><th scope="col">Where</th></tr></thead>
      <tbody>${rows.map(row => eventRow(context, row))}</tbody>
    </table>`
}

function eventRow(context: ErrorContext, { event_id: id, occurred_at: at, level, environment, release, tags }: EventFacts) {
  const shown = shownTags.flatMap(name => tags.find(tag => tag.startsWith(`${name}=`)) ?? []).slice(0, maxShown)

  return html`
    <tr>
      <td><a href="${context.errorUrl}/events/${plainId(id)}"><code>${plainId(id)!.slice(0, 8)}</code></a></td>
      <td data-label="Time">${timeIn('minute', at)}</td>
      <td data-label="Level">${levelBadge(level)}</td>
      <td data-label="Environment">${environment ?? '–'}</td>
      <td data-label="Release">${release ? html`<a href="${releaseUrl(context, release)}">${release}</a>` : '–'}</td>
      <td data-label="Where">${shown.length > 0 ? shown.map((tag, n) => html`${n > 0 && ' · '}${tag.slice(tag.indexOf('=') + 1)}`) : '–'}</td>
    </tr>`
}
