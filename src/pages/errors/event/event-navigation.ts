import type { FastifyRequest } from 'fastify'
import { type EventRow, findNeighbours, maxCounted } from '#errors/events/list-events.ts'
import { listTaggedEvents } from '#errors/events/list-tagged-events.ts'
import { plainId } from '#errors/groups/present-group.ts'
import { count, nounFor } from '#lib/counted.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { ErrorContext } from '../error-context.ts'

/** Where an event is among the others: events are numbered from the oldest. */
interface Position {
  newer?: string
  older?: string
  text: string
}

export async function eventNavigation(request: FastifyRequest, context: ErrorContext, event: EventRow) {
  const { errorUrl } = context
  const { tag } = request.query as { tag?: string }
  const query = tag ? `?tag=${encodeURIComponent(tag)}` : ''
  const { newer, older, text } = tag ? await positionWithTag(context, event, tag) : await positionOf(context, event)
  const link = (id: string | undefined, label: string) =>
    html`<a${attributes({ href: id && `${errorUrl}/events/${plainId(id)}${query}`, 'aria-disabled': !id && 'true', class: 'button plain small' })}>${label}</a>`

  return html`
    <nav class="event-nav" aria-label="Events">
      <p><b>${text}</b>${tag && html` with <code>${tag}</code>`} · <a class="id" href="${errorUrl}/events/${plainId(event.event_id)}"><code>${plainId(event.event_id)!.slice(0, 8)}</code></a> · ${ago(new Date(event.occurred_at), new Date())}
        · <a href="${tag ? errorUrl : `${errorUrl}/events`}">All events</a></p>
      <div>
        ${!tag && link(older && 'oldest', 'Oldest')}
        ${link(older, 'Older')}
        ${link(newer, 'Newer')}
        ${!tag && link(newer && 'latest', 'Latest')}
      </div>
    </nav>`
}

async function positionOf({ em, group }: ErrorContext, event: EventRow): Promise<Position> {
  const { older, newer } = await findNeighbours(em, group, event)
  const isMore = Math.max(older.length, newer.length) === maxCounted
  const total = `${count(newer.length + 1 + older.length)}${isMore ? '+' : ''}`
  const hasNumber = older.length < maxCounted

  return {
    newer: newer[0],
    older: older[0],
    text:
      newer.length > 0 && !hasNumber ? `${upTo(newer.length)} newer, ${upTo(older.length)} older` : place(older.length, newer.length, total)
  }
}

function place(older: number, newer: number, total: string) {
  return newer === 0 ? `Latest of ${total} ${nounFor(older + 1, 'event')}` : `Event ${count(older + 1)} of ${total}`
}

function upTo(counted: number) {
  return `${count(counted)}${counted === maxCounted ? '+' : ''}`
}

async function positionWithTag({ em, group }: ErrorContext, { event_id: id }: EventRow, tag: string): Promise<Position> {
  const ids = await listTaggedEvents(em, group, tag)
  const position = ids.indexOf(id)
  if (position === -1) return { text: `Not among the ${count(ids.length)} events` }

  return { newer: ids[position - 1], older: ids[position + 1], text: place(ids.length - 1 - position, position, count(ids.length)) }
}
