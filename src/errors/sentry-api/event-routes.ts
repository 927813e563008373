import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { EntityManager } from '#platform/database/database.ts'
import type { Keyset } from '#platform/database/list.ts'
import { listProjectEvents, maxProjectEvents, type ProjectEvent } from '../events/list-project-events.ts'
import { readPayload } from '../events/payload.ts'
import { findProject } from './organization-projects.ts'
import { presentEvent, SentryEvent } from './present-event.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

export const eventRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/projects/:org/:project/events',
    {
      config: { role: 'developer' },
      schema: {
        summary: `List the latest ${maxProjectEvents} events`,
        params: Type.Object({ org: Type.String(), project: Type.String() }),
        querystring: Type.Object(sentryPaging),
        response: { 200: Type.Array(SentryEvent) }
      }
    },
    async (request, reply) => {
      const { org, project: slug } = request.params
      const project = await findProject(request.em, request.user, org, slug)
      const page = await sentryPage(request, reply, latestEvents(request.em, project.id))

      return page.map(event => presentEvent(event, event.group, readPayload(event.payload)))
    }
  )
}

/** By number: events of a project have no index by time. */
function latestEvents(em: EntityManager, projectId: number) {
  return {
    kinds: ['id'],
    positionOf: ({ next }) => [next],
    async read({ after: [offset] = [0], limit }) {
      const events = await listProjectEvents(em, projectId, offset, limit)

      return events.map((event, n) => ({ ...event, next: offset + n + 1 }))
    }
  } satisfies Keyset<ProjectEvent & { next: number }, [number]>
}
