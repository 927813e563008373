import Type from 'typebox'
import { eventParts, writeEventPart } from '#errors/events/event-parts.ts'
import { EventId } from '#errors/events/event-schemas.ts'
import { findEvent, findEvents, listEvents } from '#errors/events/list-events.ts'
import { listTaggedEvents } from '#errors/events/list-tagged-events.ts'
import { digestEvent, summarizeEvent, writeEvent } from '#errors/events/write-event.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { findError } from '#errors/groups/find-group.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { tagDistribution } from '#errors/groups/tag-distribution.ts'
import { line, sections } from '#lib/markdown.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { page, paging, toList } from '../page.ts'
import { tag } from '../tag.ts'
import { partOf, requirePart, showPart } from '../text-part.ts'
import { defineTool, project, toResult } from '../tool.ts'
import { errorId, restOfEvent } from './errors.ts'

const maxValues = 10

export const listErrorEvents = defineTool({
  name: 'list_error_events',
  title: 'List the events of an error',
  description:
    'Lists the occurrences of an error, latest first, with release and environment; with `tag`, among its latest 1,000 events. `get_event` has the stack traces.',
  input: { ...project, error_id: errorId, tag, ...paging },
  async run({ em, viewer }, { project, error_id, tag, ...paging }) {
    const { group } = await findError(em, viewer, { id: project, fingerprint: error_id })
    const events = await page(paging, tag ? listWithTag(em, group, tag) : listEvents(em, group), rows => rows.map(summarizeEvent))

    return toList('events', events, summarize, tag ? 'No event has this tag.' : 'No event of this error is stored anymore.')
  }
})

export const listErrorTags = defineTool({
  name: 'list_error_tags',
  title: 'List the tags of an error',
  description:
    'Lists the tags of the latest 1,000 events of an error with their most frequent values, which show whom and what it affects.',
  input: { ...project, error_id: errorId },
  async run({ em, viewer }, { project, error_id }) {
    const { group } = await findError(em, viewer, { id: project, fingerprint: error_id })
    const tags = (await tagDistribution(em, group)).map(tag => ({ ...tag, values: tag.values.slice(0, maxValues) }))

    return toResult({ tags }, ({ tags }) => tags.map(summarizeTag).join('\n') || 'No tags.')
  }
})

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get an event with its stack trace',
  description:
    'Gets one occurrence of an error: stack trace, request, tags and breadcrumbs, abridged; of the latest event by default. With `part`, one of them, or the contexts or extra data, in full.',
  input: {
    ...project,
    error_id: errorId,
    event_id: Type.Optional(EventId),
    ...partOf(...eventParts)
  },
  async run(context, { project, error_id, event_id = 'latest', part, offset }) {
    const { group } = await findError(context.em, context.viewer, { id: project, fingerprint: error_id })
    const row = await findEvent(context.em, group, event_id)

    if (!row) throw new NotFound('Event')
    if (part)
      return showPart({ error_id: group.id, event_id: row.event_id.replaceAll('-', '') }, { part, text: writeEventPart(row, part), offset })
    requirePart({ offset })

    return toResult({ error_id: group.id, event: digestEvent(row), more: restOfEvent }, ({ event, more }) =>
      sections(`# ${line(titleOf(group))}`, writeEvent(event), more)
    )
  }
})

function summarize({ event_id, occurred_at, ...rest }: ReturnType<typeof summarizeEvent>) {
  return `- ${occurred_at} ${event_id} ${Object.values(rest).join(' ')}`
}

function summarizeTag({ key, total, values }: { key: string; total: number; values: { value: string; count: number }[] }) {
  return `- ${key} (${total} events): ${values.map(({ value, count }) => `${line(value)} ${count}`).join(', ')}`
}

function listWithTag(em: EntityManager, group: ErrorGroup, tag: string): ReturnType<typeof listEvents> {
  return {
    ...listEvents(em, group),
    async read({ after, limit }) {
      const ids = await listTaggedEvents(em, group, tag)
      const start = after ? ids.indexOf(after[1]) + 1 : 0
      const rows = new Map((await findEvents(em, group, ids.slice(start, start + limit))).map(row => [row.event_id, row]))

      return ids.flatMap(id => rows.get(id) ?? [])
    }
  }
}
