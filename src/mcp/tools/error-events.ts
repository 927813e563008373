import Type from 'typebox'
import { eventIdPattern } from '../../error-tracking/events/event-schemas.ts'
import { type EventRow, findEvent, listEvents, positionOf } from '../../error-tracking/events/list-events.ts'
import { findError } from '../../error-tracking/groups/find-group.ts'
import { titleOf } from '../../error-tracking/groups/present-group.ts'
import { eventParts, writeEventPart } from '../../error-tracking/markdown/event-parts.ts'
import { digestEvent, summarizeEvent, writeEvent } from '../../error-tracking/markdown/write-event.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { line, sections } from '../../lib/markdown.ts'
import { page, paging, toList } from '../results/page.ts'
import { partOf, requirePart, showPart } from '../results/text-part.ts'
import { defineTool, project, toResult } from '../tool.ts'
import { errorId, restOfEvent } from './errors.ts'

export const listErrorEvents = defineTool({
  name: 'list_error_events',
  title: 'List the events of an error',
  description: 'Lists when an error occurred, latest first, with release and environment. `get_event` has the stack traces.',
  input: { ...project, error_id: errorId, ...paging },
  async run({ em, viewer }, { project, error_id, ...paging }) {
    const { group } = await findError(em, viewer, { id: project, fingerprint: error_id })
    const events = await page(paging, {
      shape: ['time', 'uuid'],
      positionOf,
      list: (after, limit) => listEvents(em, group, { isAscending: false, after, limit }),
      present: (rows: EventRow[]) => rows.map(summarizeEvent)
    })

    return toList('events', events, summarize, 'No event of this error is stored anymore.')
  }
})

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get an event with its stack trace',
  description:
    'Gets one occurrence of an error: stack trace, request, tags and breadcrumbs, abridged. With `part`, one of them, or the contexts or extra data, in full.',
  input: {
    ...project,
    error_id: errorId,
    event_id: Type.Optional(Type.String({ pattern: eventIdPattern, description: 'An id, `oldest`, or `latest`, the default.' })),
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
