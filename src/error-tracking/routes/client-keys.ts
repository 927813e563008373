import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { NoneGiven, NotFound } from '../../http/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { User } from '../../identity/user.ts'
import { announce } from '../../platform/announce.ts'
import type { EntityManager } from '../../platform/database.ts'
import { findProject } from '../../projects/find.ts'
import { Role } from '../../projects/member.ts'
import { ClientKey, newClientKey } from '../client-key.ts'
import { ClientKeyShape, ProjectId } from './schemas.ts'
import { ClientKeyChanges, NewClientKey } from './setting-schemas.ts'

const KeyParams = Type.Object({ id: Type.String(), key_id: Type.Integer() })

/** What SDKs are let in with; for maintainers. */
export const clientKeyRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'maintainer' as const } }

  app.get(
    path,
    { ...guard, schema: { summary: 'The client keys', params: ProjectId, response: { 200: Type.Array(ClientKeyShape) } } },
    async request => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.maintainer)
      const keys = await em.find(ClientKey, { projectId: project.id }, { orderBy: { id: 'asc' }, limit: 100 })

      return keys.map(key => presentKey(key, config.baseUrl))
    }
  )

  app.post(
    path,
    { ...guard, schema: { summary: 'Make a client key', params: ProjectId, body: NewClientKey, response: { 201: ClientKeyShape } } },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.maintainer)
      const { name, events_per_minute: eventsPerMinute } = request.body
      const key = em.create(ClientKey, { projectId: project.id, publicKey: newClientKey(), name, eventsPerMinute })

      await em.flush()

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
      const key = await findKey(em, callerOf(request), request.params)
      const { name, events_per_minute: eventsPerMinute, active } = request.body

      if (name === undefined && eventsPerMinute === undefined && active === undefined) {
        throw new NoneGiven('name', 'events_per_minute', 'active')
      }
      if (name !== undefined) key.name = name
      if (eventsPerMinute !== undefined) key.eventsPerMinute = eventsPerMinute
      if (active !== undefined) key.active = active
      await em.flush()
      await announce(em, config, 'client-key', key.publicKey)

      return presentKey(key, config.baseUrl)
    }
  )

  app.delete(
    `${path}/:key_id`,
    { ...guard, schema: { summary: 'Remove a client key', params: KeyParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const key = await findKey(em, callerOf(request), request.params)

      await em.remove(key).flush()
      await announce(em, config, 'client-key', key.publicKey)

      return reply.code(204).send(null)
    }
  )
}

async function findKey(em: EntityManager, caller: User, { id, key_id: keyId }: { id: string; key_id: number }) {
  const project = await findProject(em, caller, id, Role.maintainer)
  const key = await em.findOne(ClientKey, { id: keyId, projectId: project.id })

  if (!key) throw new NotFound()

  return key
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
