import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { twoWayPage } from '#api/pagination/keyset.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { findError } from '../groups/find-group.ts'
import { ErrorParams } from '../groups/group-schemas.ts'
import { plainId, presentEvent } from '../groups/present-group.ts'
import { EventParams, EventShape, EventsQuery, OneEventShape, StackTraceShape } from './event-schemas.ts'
import { findEvent, findNeighbours, listEvents } from './list-events.ts'
import { readPayload } from './payload.ts'
import { stackTrace } from './stack-trace.ts'

export const eventRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }

  app.get(
    `${path}/:fingerprint/events`,
    {
      ...guard,
      schema: {
        summary: 'List the events of an error',
        params: ErrorParams,
        querystring: EventsQuery,
        response: { 200: Type.Array(EventShape) }
      }
    },
    async (request, reply) => {
      const { group } = await findError(request.em, request.user, request.params)
      const page = await twoWayPage(request, reply, listEvents(request.em, group, request.query.sort !== 'occurred_at_desc'))

      return page.map(row => presentEvent(group, row))
    }
  )

  app.get(
    `${path}/:fingerprint/events/:event_id`,
    {
      ...guard,
      schema: { summary: 'Get an event by its ID, or the latest or oldest one', params: EventParams, response: { 200: OneEventShape } }
    },
    async ({ em, user, params }) => {
      const { group } = await findError(em, user, params)
      const event = await requireEvent(em, group, params.event_id)
      const { older, newer } = await findNeighbours(em, group, event, 1)

      return { ...presentEvent(group, event), previous_event_id: plainId(older[0]), next_event_id: plainId(newer[0]) }
    }
  )

  app.get(
    `${path}/:fingerprint/stack_trace`,
    {
      ...guard,
      schema: {
        summary: 'Get the stack trace of the latest event, outermost call first',
        params: ErrorParams,
        response: { 200: StackTraceShape }
      }
    },
    async ({ em, user, params }) => {
      const { group } = await findError(em, user, params)
      const event = await requireEvent(em, group, 'latest')

      return {
        error: {
          issue_id: group.id,
          date_received: writeTime(event.received_at),
          stack_trace_entries: stackTrace(readPayload(event.payload))
        }
      }
    }
  )
}

async function requireEvent(em: EntityManager, group: ErrorGroup, id: string) {
  const event = await findEvent(em, group, id)

  if (!event) throw new NotFound('Event')

  return event
}
