import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { AuditEvent } from '../../audit/audit-event.ts'
import { auditEvents, type Scope } from '../../audit/list-audit-events.ts'
import { AuditEventShape, AuditQuery, InstanceAuditQuery, presentAuditEvent } from '../../audit/schemas.ts'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage } from '../../http/pagination/keyset.ts'
import { offsetPage, perPageOf } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup, findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'

const params = Type.Object({ id: Type.String() })
const response = { 200: Type.Array(AuditEventShape) }

/** What was done: to anything, to a group, to a project. */
export const auditRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/audit_events',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin' },
      schema: { summary: 'What was done, last first', querystring: InstanceAuditQuery, response }
    },
    async (request, reply) => {
      const { entity_type: entityType, entity_id: entityId } = request.query

      return sendAuditEvents(request, reply, fork(), { entityType, entityId })
    }
  )

  app.get(
    '/audit_events/:audit_event_id',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin' },
      schema: {
        summary: 'One thing that was done',
        params: Type.Object({ audit_event_id: Type.Integer() }),
        response: { 200: AuditEventShape }
      }
    },
    async request => showAuditEvent(fork(), {}, request.params.audit_event_id)
  )

  for (const [path, role, what] of [
    ['groups', 'owner', 'group'],
    ['projects', 'maintainer', 'project']
  ] as const) {
    app.get(
      `/${path}/:id/audit_events`,
      {
        onRequest: app.requireUser,
        config: { role },
        schema: { summary: `What was done to a ${what}, last first`, params, querystring: AuditQuery, response }
      },
      async (request, reply) => {
        const em = fork()

        return sendAuditEvents(request, reply, em, await scopes[path](em, request))
      }
    )

    app.get(
      `/${path}/:id/audit_events/:audit_event_id`,
      {
        onRequest: app.requireUser,
        config: { role },
        schema: {
          summary: `One thing that was done to a ${what}`,
          params: Type.Object({ ...params.properties, audit_event_id: Type.Integer() }),
          response: { 200: AuditEventShape }
        }
      },
      async request => {
        const em = fork()

        return showAuditEvent(em, await scopes[path](em, request), request.params.audit_event_id)
      }
    )
  }
}

const scopes = {
  groups: async (em: EntityManager, request: FastifyRequest): Promise<Scope> => {
    const { id } = await findGroup(em, callerOf(request), (request.params as { id: string }).id, Role.owner)

    return { entityType: 'Group', entityId: id }
  },
  projects: async (em: EntityManager, request: FastifyRequest): Promise<Scope> => {
    const { id } = await findProject(em, callerOf(request), (request.params as { id: string }).id, Role.maintainer)

    return { entityType: 'Project', entityId: id }
  }
}

async function sendAuditEvents(request: FastifyRequest, reply: FastifyReply, em: EntityManager, scope: Scope) {
  const { created_after: createdAfter, created_before: createdBefore, sort, cursor } = request.query as Static<typeof AuditQuery>
  const filter = { ...scope, createdAfter, createdBefore, sort }

  if (!isKeyset(request)) return (await offsetPage(request, reply, auditEvents(em, filter))).map(presentAuditEvent)
  keysetOrder(request, { id: ['desc'] })
  const [before] = decodeCursor<[number]>(cursor, 'id') ?? []
  const rows = await auditEvents(em, { ...filter, sort: 'desc', before }).list(perPageOf(request.query) + 1)

  return keysetPage(request, reply, rows, last => ({ cursor: encodeCursor([last.id]) })).map(presentAuditEvent)
}

async function showAuditEvent(em: EntityManager, scope: Scope, id: number) {
  const event = await em.findOne(AuditEvent, { ...scope, id })

  if (!event) throw new NotFound('Audit Event')

  return presentAuditEvent(event)
}
