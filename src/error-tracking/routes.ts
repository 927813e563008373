import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { decodeCursor, encodeCursor, keysetPage } from '../http/keyset.ts'
import { perPageOf } from '../http/pagination.ts'
import { NotFound } from '../http/problems.ts'
import { callerOf } from '../identity/identify.ts'
import type { EntityManager } from '../platform/database.ts'
import { findProject } from '../projects/find.ts'
import { Role } from '../projects/member.ts'
import { ErrorGroup } from './group.ts'
import { type EventRow, listEvents } from './occurrence.ts'
import { unpackPayload } from './payload.ts'
import { ErrorParams, ErrorShape, ErrorsQuery, EventShape, EventsQuery, ProjectId } from './schemas.ts'

const path = '/projects/:id/error_tracking/errors'

/** What broke, since when, how often. */
export const errorRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    path,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: { summary: 'Errors, last seen first', params: ProjectId, querystring: ErrorsQuery, response: { 200: Type.Array(ErrorShape) } }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.developer)
      const { status = 'unresolved', cursor } = request.query
      const perPage = perPageOf(request.query)
      const after = decodeCursor<[string, number]>(cursor, 'time', 'id')
      const before = after && {
        $or: [{ lastSeenAt: { $lt: new Date(after[0]) } }, { lastSeenAt: new Date(after[0]), id: { $lt: after[1] } }]
      }
      const groups = await em.find(
        ErrorGroup,
        { projectId: project.id, status, ...before },
        { orderBy: { lastSeenAt: 'desc', id: 'desc' }, limit: perPage + 1 }
      )

      return keysetPage(request, reply, groups, last => ({ cursor: encodeCursor([last.lastSeenAt.toISOString(), last.id]) })).map(present)
    }
  )

  app.get(
    `${path}/:fingerprint`,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: { summary: 'One error', params: ErrorParams, response: { 200: ErrorShape } }
    },
    async request => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.developer)

      return present(await findGroup(em, project.id, request.params.fingerprint))
    }
  )

  app.get(
    `${path}/:fingerprint/events`,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'The events of an error',
        params: ErrorParams,
        querystring: EventsQuery,
        response: { 200: Type.Array(EventShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.developer)
      const group = await findGroup(em, project.id, request.params.fingerprint)
      const perPage = perPageOf(request.query)
      const after = decodeCursor<[string, string]>(request.query.cursor, 'time', 'uuid')
      const rows = await listEvents(em, group, { isAscending: request.query.sort !== 'occurred_at_desc', after, limit: perPage + 1 })
      const page = keysetPage(request, reply, rows, last => ({ cursor: encodeCursor([last.occurred_at.toISOString(), last.event_id]) }))

      return Promise.all(page.map(row => presentEvent(group, row)))
    }
  )
}

async function findGroup(em: EntityManager, projectId: number, id: number) {
  const group = await em.findOne(ErrorGroup, { id, projectId })

  if (!group) throw new NotFound('Error')

  return group
}

function present(group: ErrorGroup) {
  return {
    fingerprint: group.id,
    project_id: group.projectId,
    name: group.name,
    description: group.description,
    actor: group.actor,
    platform: group.platform ?? null,
    level: group.level,
    status: group.status,
    event_count: group.events,
    first_seen_at: group.firstSeenAt.toISOString(),
    last_seen_at: group.lastSeenAt.toISOString()
  }
}

async function presentEvent({ id, projectId, name, description, actor }: ErrorGroup, row: EventRow) {
  return {
    project_id: projectId,
    fingerprint: id,
    event_id: row.event_id.replaceAll('-', ''),
    name,
    description,
    actor,
    platform: row.platform,
    environment: row.environment,
    release: row.release,
    level: row.level,
    occurred_at: row.occurred_at.toISOString(),
    payload: await unpackPayload(row.payload)
  }
}
