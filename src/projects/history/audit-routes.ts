import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { listPage } from '#api/pagination/keyset.ts'
import { type AuditScope, listAuditEvents } from '#audit/list-audit-events.ts'
import { AuditEventShape, AuditQuery, InstanceAuditQuery, presentAuditEvent } from '#audit/schemas.ts'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'

const response = { 200: Type.Array(AuditEventShape) }
const EventId = Type.Object({ audit_event_id: Type.Integer() })

/** The audit events of the instance, of a group, and of a project. */
export const auditRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/audit_events',
    {
      config: { role: 'admin' },
      schema: { summary: 'List audit events, newest first', querystring: InstanceAuditQuery, response }
    },
    async (request, reply) => {
      const { entity_type: entityType, entity_id: entityId } = request.query

      return sendAuditEvents(request, reply, { entityType, entityId })
    }
  )

  app.get(
    '/audit_events/:audit_event_id',
    {
      config: { role: 'admin' },
      schema: { summary: 'Get an audit event', params: EventId, response: { 200: AuditEventShape } }
    },
    async ({ em, params }) => loadAuditEvent(em, {}, params.audit_event_id)
  )

  for (const [path, role, entity] of [
    ['groups', 'owner', 'group'],
    ['projects', 'maintainer', 'project']
  ] as const) {
    app.get(
      `/${path}/:id/audit_events`,
      {
        config: { role },
        schema: { summary: `List the audit events of a ${entity}, newest first`, params: ById, querystring: AuditQuery, response }
      },
      async (request, reply) => sendAuditEvents(request, reply, await findScope[path](request.em, request.user, request.params.id))
    )

    app.get(
      `/${path}/:id/audit_events/:audit_event_id`,
      {
        config: { role },
        schema: {
          summary: `Get an audit event of a ${entity}`,
          params: Type.Object({ ...ById.properties, ...EventId.properties }),
          response: { 200: AuditEventShape }
        }
      },
      async ({ em, user, params }) => loadAuditEvent(em, await findScope[path](em, user, params.id), params.audit_event_id)
    )
  }
}

const findScope = {
  async groups(em: EntityManager, viewer: Viewer, id: string): Promise<AuditScope> {
    return { entityType: 'Group', entityId: (await findGroup(em, viewer, id, Role.owner)).id }
  },
  async projects(em: EntityManager, viewer: Viewer, id: string): Promise<AuditScope> {
    return { entityType: 'Project', entityId: (await findProject(em, viewer, id, Role.maintainer)).id }
  }
}

async function sendAuditEvents(request: FastifyRequest, reply: FastifyReply, scope: AuditScope) {
  const { created_after: createdAfter, created_before: createdBefore } = request.query as Static<typeof AuditQuery>
  const events = await listPage(request, reply, {
    orders: { id: ['desc'] },
    open: ({ sort }) => listAuditEvents(request.em, { ...scope, createdAfter, createdBefore, sort })
  })

  return events.map(presentAuditEvent)
}

async function loadAuditEvent(em: EntityManager, scope: AuditScope, id: number) {
  const [event] = await listAuditEvents(em, { ...scope, id }).list(1)

  if (!event) throw new NotFound('Audit Event')

  return presentAuditEvent(event)
}
