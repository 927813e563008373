import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type AuditEntry, actorOf, record } from '../../audit/record-audit-event.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { MissingParameters, NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { invalidateCache } from '../../platform/cache/invalidate-cache.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import type { Project } from '../../projects/project.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { ClientKey, newClientKey } from './client-key.ts'
import { findMonitored } from './find-monitored-project.ts'
import { ClientKeyChanges, ClientKeyShape, NewClientKey } from './setting-schemas.ts'

const KeyId = Type.Object({ key_id: Type.Integer() })
const KeyParams = Type.Object({ ...ProjectId.properties, ...KeyId.properties })

/** What SDKs are let in with; for maintainers. */
export const clientKeyRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'maintainer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'The client keys',
        params: ProjectId,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(ClientKeyShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { id: projectId } = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const keys = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(ClientKey, { projectId }, { orderBy: { id: 'asc' }, limit, offset }),
        count: () => em.fork().count(ClientKey, { projectId })
      })

      return keys.map(key => presentKey(key, config.baseUrl))
    }
  )

  app.post(
    path,
    { ...guard, schema: { summary: 'Make a client key', params: ProjectId, body: NewClientKey, response: { 201: ClientKeyShape } } },
    async (request, reply) => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const { name, events_per_minute: eventsPerMinute } = request.body
      const key = await em.transactional(async em => {
        const key = em.create(ClientKey, { projectId: project.id, publicKey: newClientKey(), name, eventsPerMinute })

        await em.flush()
        record(em, actorOf(request), deed('created', project, key))

        return key
      })

      return reply.code(201).send(presentKey(key, config.baseUrl))
    }
  )

  app.put(
    `${path}/:key_id`,
    {
      ...guard,
      schema: { summary: 'Change a client key', params: KeyParams, body: ClientKeyChanges, response: { 200: ClientKeyShape } }
    },
    async request => {
      const em = fork()
      const { project, key } = await findKey(em, callerOf(request), request.params.id, request.params.key_id)
      const { name, events_per_minute: eventsPerMinute, active } = request.body

      if (name === undefined && eventsPerMinute === undefined && active === undefined) {
        throw new MissingParameters('name', 'events_per_minute', 'active')
      }
      if (name !== undefined) key.name = name
      if (eventsPerMinute !== undefined) key.eventsPerMinute = eventsPerMinute
      if (active !== undefined) key.active = active
      record(em, actorOf(request), deed('updated', project, key))
      await em.flush()
      await invalidateCache(em, config, 'client-key', key.publicKey)

      return presentKey(key, config.baseUrl)
    }
  )

  app.delete(
    `${path}/:key_id`,
    {
      ...guard,
      schema: {
        summary: 'Remove a client key',
        params: KeyParams,
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      await remove(request, request.params.id, request.params.key_id)

      return reply.code(204).send(null)
    }
  )

  // gitbeaker has no other way of naming the key.
  app.delete(
    path,
    {
      ...guard,
      schema: {
        summary: 'Remove a client key that is named in the query or the body',
        params: ProjectId,
        body: KeyId,
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      await remove(request, request.params.id, request.body.key_id)

      return reply.code(204).send(null)
    }
  )

  async function remove(request: FastifyRequest, projectId: string, keyId: number) {
    const em = fork()
    const { project, key } = await findKey(em, callerOf(request), projectId, keyId)

    record(em, actorOf(request), deed('removed', project, key))
    await em.remove(key).flush()
    await invalidateCache(em, config, 'client-key', key.publicKey)
  }
}

async function findKey(em: EntityManager, caller: Viewer, id: string, keyId: number) {
  const project = await findMonitored(em, caller, id, Role.maintainer)
  const key = await em.findOne(ClientKey, { id: keyId, projectId: project.id })

  if (!key) throw new NotFound()

  return { project, key }
}

function deed(done: string, project: Project, { id, name }: ClientKey): AuditEntry {
  return { name: `client_key_${done}`, entity: project.audited(), target: { type: 'ClientKey', id, details: name ?? '' } }
}

function presentKey(key: ClientKey, baseUrl: string) {
  const dsn = key.dsn(baseUrl)

  return {
    id: key.id,
    active: key.active,
    name: key.name ?? null,
    events_per_minute: key.eventsPerMinute ?? null,
    public_key: key.publicKey,
    tracker_dsn: dsn,
    sentry_dsn: dsn
  }
}
