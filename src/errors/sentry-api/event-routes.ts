import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { objectOrEmpty } from '#lib/json.ts'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Keyset } from '#platform/database/list.ts'
import { listProjectEvents, maxProjectEvents, type ProjectEvent } from '../events/list-project-events.ts'
import { readPayload } from '../events/payload.ts'
import { plainId, titleOf } from '../groups/present-group.ts'
import { findProject } from './organization-projects.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const userAttributes = ['id', 'username', 'email', 'ip_address'] as const
const SentryEvent = Type.Object({
  id: Type.String(),
  eventID: Type.String(),
  groupID: Type.String(),
  title: Type.String(),
  culprit: Type.String(),
  platform: Type.String(),
  dateCreated: Type.String(),
  user: Nullable(Type.Object(Object.fromEntries(userAttributes.map(name => [name, Type.Optional(Type.String())])))),
  tags: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
})

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

      return page.map(presentEvent)
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

function presentEvent({ event_id, group, occurred_at, platform, tags, payload }: ProjectEvent) {
  const id = plainId(event_id)!

  return {
    id,
    eventID: id,
    groupID: String(group.id),
    title: titleOf(group),
    culprit: group.actor,
    platform: platform ?? 'other',
    dateCreated: writeTime(occurred_at),
    user: userOf(readPayload(payload)),
    tags: tags.map(tag => ({ key: tag.slice(0, tag.indexOf('=')), value: tag.slice(tag.indexOf('=') + 1) }))
  }
}

/** Clients accept strings only. */
function userOf(event: unknown) {
  const user = objectOrEmpty(objectOrEmpty(event).user)
  const given = userAttributes.flatMap(name => (user[name] === undefined || user[name] === null ? [] : [[name, String(user[name])]]))

  return given.length > 0 ? Object.fromEntries(given) : null
}
