import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '../../http/pagination.ts'
import { NotFound } from '../../http/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { announce } from '../../platform/announce.ts'
import type { EntityManager } from '../../platform/database.ts'
import { Role } from '../../projects/member.ts'
import { ClientKey, newClientKey } from '../client-key.ts'
import { configure, type Wanted } from '../configure.ts'
import { findMonitored } from '../find-monitored.ts'
import { ErrorSetting } from '../setting.ts'
import { ClientKeyShape, ProjectId, SettingBody, SettingChanges, SettingShape } from './schemas.ts'

/** Settings and client keys; all of it for maintainers. */
export const errorSettingsRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform

  app.get(
    `${path}/settings`,
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: { summary: 'The error-tracking settings', params: ProjectId, response: { 200: SettingShape } }
    },
    async request => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)

      return presentSetting(await findSetting(em, project.id))
    }
  )

  app.put(
    `${path}/settings`,
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: {
        summary: 'Turn error tracking on or off',
        params: ProjectId,
        body: SettingBody,
        response: { 200: SettingShape }
      }
    },
    async request => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)

      return presentSetting(await configure(em, config, project.id, readWanted(request.body)))
    }
  )

  app.patch(
    `${path}/settings`,
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: {
        summary: 'Change the error-tracking settings',
        params: ProjectId,
        body: SettingChanges,
        response: { 200: SettingShape }
      }
    },
    async request => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const { integrated } = await findSetting(em, project.id)

      return presentSetting(await configure(em, config, project.id, readWanted({ integrated, ...request.body })))
    }
  )

  app.get(
    `${path}/client_keys`,
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: {
        summary: 'The client keys',
        params: ProjectId,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(ClientKeyShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const keys = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(ClientKey, { projectId: project.id }, { orderBy: { id: 'asc' }, limit, offset }),
        count: () => em.fork().count(ClientKey, { projectId: project.id })
      })

      return keys.map(key => presentKey(key, config.baseUrl))
    }
  )

  app.post(
    `${path}/client_keys`,
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: { summary: 'Make a client key', params: ProjectId, response: { 201: ClientKeyShape } }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const key = em.create(ClientKey, { projectId: project.id, publicKey: newClientKey() })

      await em.flush()

      return reply.code(201).send(presentKey(key, config.baseUrl))
    }
  )

  app.delete(
    `${path}/client_keys/:key_id`,
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: {
        summary: 'Remove a client key',
        params: Type.Object({ id: Type.String(), key_id: Type.Integer() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const key = await em.findOne(ClientKey, { id: request.params.key_id, projectId: project.id })

      if (!key) throw new NotFound()
      await em.remove(key).flush()
      await announce(em, config, 'client-key', key.publicKey)

      return reply.code(204).send(null)
    }
  )
}

async function findSetting(em: EntityManager, projectId: number) {
  const setting = await em.findOne(ErrorSetting, { projectId })

  if (!setting) throw new NotFound('Error Tracking Setting')

  return setting
}

function readWanted(body: Static<typeof SettingBody>): Wanted {
  return {
    active: body.active,
    integrated: body.integrated,
    apiUrl: body.api_url,
    token: body.token,
    projectName: body.project_name,
    externalUrl: body.tracker_external_url ?? body.sentry_external_url
  }
}

function presentSetting(setting: ErrorSetting) {
  return {
    active: setting.active,
    project_name: setting.projectName ?? null,
    tracker_external_url: setting.trackerExternalUrl ?? null,
    sentry_external_url: setting.trackerExternalUrl ?? null,
    api_url: setting.apiUrl ?? null,
    integrated: setting.integrated
  }
}

function presentKey(key: ClientKey, baseUrl: string) {
  const dsn = key.dsn(baseUrl)

  return { id: key.id, active: key.active, public_key: key.publicKey, tracker_dsn: dsn, sentry_dsn: dsn }
}
