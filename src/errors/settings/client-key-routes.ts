import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { MissingParameters, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { changeClientKey, createClientKey, deleteClientKey } from './change-client-keys.ts'
import { ClientKey } from './client-key.ts'
import { findMonitoredProject } from './find-monitored-project.ts'
import { ClientKeyChanges, ClientKeyShape, NewClientKey, presentKey } from './setting-schemas.ts'

const KeyId = Type.Object({ key_id: Type.Integer() })
const KeyParams = Type.Object({ ...ProjectId.properties, ...KeyId.properties })

export const clientKeyRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config } = app.platform
  const guard = { config: { role: 'maintainer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List the client keys',
        params: ProjectId,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(ClientKeyShape) }
      }
    },
    async (request, reply) => {
      const { id: projectId } = await findMonitoredProject(request.em, request.user, request.params.id, Role.maintainer)
      const keys = await offsetPage(request, reply, entityRows(request.em, ClientKey, { projectId }))

      return keys.map(key => presentKey(key, config.baseUrl))
    }
  )

  app.post(
    path,
    { ...guard, schema: { summary: 'Create a client key', params: ProjectId, body: NewClientKey, response: { 201: ClientKeyShape } } },
    async ({ em, user, actor, params, body }, reply) => {
      const project = await findMonitoredProject(em, user, params.id, Role.maintainer)
      const { name, events_per_minute: eventsPerMinute, allowed_origins: allowedOrigins } = body
      const key = await createClientKey(em, project, { name, eventsPerMinute, allowedOrigins }, actor)

      return reply.code(201).send(presentKey(key, config.baseUrl))
    }
  )

  app.put(
    `${path}/:key_id`,
    {
      ...guard,
      schema: { summary: 'Change a client key', params: KeyParams, body: ClientKeyChanges, response: { 200: ClientKeyShape } }
    },
    async ({ em, user, actor, params, body }) => {
      const subject = await findKey(em, user, params.id, params.key_id)
      const { name, events_per_minute: eventsPerMinute, allowed_origins: allowedOrigins, active } = body

      const changes = { name, eventsPerMinute, allowedOrigins, active }

      if (Object.values(changes).every(value => value === undefined)) {
        throw new MissingParameters('name', 'events_per_minute', 'allowed_origins', 'active')
      }
      await changeClientKey(em, config, subject, changes, actor)

      return presentKey(subject.key, config.baseUrl)
    }
  )

  app.delete(
    `${path}/:key_id`,
    {
      ...guard,
      schema: {
        summary: 'Delete a client key',
        params: KeyParams,
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      await remove(request, request.params.id, request.params.key_id)

      return reply.code(204).send(null)
    }
  )

  // gitbeaker sends the key's id this way.
  app.delete(
    path,
    {
      ...guard,
      schema: {
        summary: 'Delete the client key whose id is in the query or the body',
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
    await deleteClientKey(request.em, config, await findKey(request.em, request.user, projectId, keyId), request.actor)
  }
}

async function findKey(em: EntityManager, caller: Viewer, id: string, keyId: number) {
  const project = await findMonitoredProject(em, caller, id, Role.maintainer)
  const key = await em.findOne(ClientKey, { id: keyId, projectId: project.id })

  if (!key) throw new NotFound()

  return { project, key }
}
