import type { FastifyRequest } from 'fastify'
import { type EventRow, findNeighbours } from '#errors/events/list-events.ts'
import { listTaggedEvents } from '#errors/events/list-tagged-events.ts'
import { plainId } from '#errors/groups/present-group.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { ErrorContext } from '../error-context.ts'

interface Neighbours {
  newer?: string
  older?: string
}

export async function eventNavigation(request: FastifyRequest, context: ErrorContext, event: EventRow) {
  const { errorUrl } = context
  const { tag } = request.query as { tag?: string }
  const query = tag ? `?tag=${encodeURIComponent(tag)}` : ''
  const { newer, older } = tag ? await taggedNeighbours(context, event, tag) : await neighbours(context, event)
  const link = (id: string | undefined, label: string) =>
    html`<a${attributes({ href: id && `${errorUrl}/events/${plainId(id)}${query}`, 'aria-disabled': !id && 'true', class: 'button plain small' })}>${label}</a>`

  return html`
    <nav class="event-nav" aria-label="Events">
      <p>Event <a class="id" href="${errorUrl}/events/${plainId(event.event_id)}"><code>${plainId(event.event_id)!.slice(0, 8)}</code></a> · ${ago(new Date(event.occurred_at), new Date())}
        ${tag && html` · with <code>${tag}</code> <a href="${errorUrl}">Show all events</a>`}</p>
      <div>
        ${!tag && link(older && 'oldest', 'Oldest')}
        ${link(older, 'Older')}
        ${link(newer, 'Newer')}
        ${!tag && link(newer && 'latest', 'Latest')}
      </div>
    </nav>`
}

async function neighbours({ em, group }: ErrorContext, event: EventRow): Promise<Neighbours> {
  const { previous, next } = await findNeighbours(em, group, event)

  return { newer: next, older: previous }
}

async function taggedNeighbours({ em, group }: ErrorContext, { event_id: id }: EventRow, tag: string): Promise<Neighbours> {
  const ids = await listTaggedEvents(em, group, tag)
  const position = ids.indexOf(id)

  return position === -1 ? {} : { newer: ids[position - 1], older: ids[position + 1] }
}
