import Type from 'typebox'
import { EventParams } from '../../error-tracking/events/event-schemas.ts'
import { type EventRow, findEvent, listEvents, positionOf } from '../../error-tracking/events/list-events.ts'
import { findError } from '../../error-tracking/groups/find-group.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { titleOf } from '../markdown/error.ts'
import { presentEvent, summarizeEvent } from '../markdown/event.ts'
import { sections } from '../markdown/markdown.ts'
import { defineTool, page, paging, project } from '../tool.ts'
import { errorId } from './errors.ts'

export const listErrorEvents = defineTool({
  name: 'list_error_events',
  title: 'List the events of an error',
  description: 'Lists when an error occurred, latest first, with release and environment. `get_event` has the stack traces.',
  input: Type.Object({ ...project, error_id: errorId, ...paging }),
  async run({ em, viewer }, { project, error_id, ...paging }) {
    const { group } = await findError(em, viewer, { id: project, fingerprint: error_id })
    const { rows, next_cursor } = await page<EventRow, [string, string]>(paging, {
      shape: ['time', 'uuid'],
      positionOf,
      list: (after, limit) => listEvents(em, group, { isAscending: false, after, limit })
    })
    const events = rows.map(summarizeEvent)
    const text = events
      .map(({ event_id, occurred_at, ...rest }) => `- ${occurred_at} ${event_id} ${Object.values(rest).join(' ')}`)
      .join('\n')

    return { text: text || 'No event of this error is stored anymore.', data: { events, next_cursor } }
  }
})

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get an event with its stack trace',
  description: 'Gets one occurrence of an error: stack trace, request, tags and breadcrumbs.',
  input: Type.Object({ ...project, error_id: errorId, event_id: EventParams.properties.event_id }),
  async run(context, { project, error_id, event_id }) {
    const { group } = await findError(context.em, context.viewer, { id: project, fingerprint: error_id })
    const row = await findEvent(context.em, group, event_id)

    if (!row) throw new NotFound('Event')
    const { text, data } = presentEvent(row)

    return { text: sections(`# ${titleOf(group)}`, text), data: { error_id: group.id, event: data } }
  }
})
