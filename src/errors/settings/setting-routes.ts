import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { changeSetting, type SettingValues } from './change-setting.ts'
import { ErrorSetting } from './error-setting.ts'
import { findMonitoredProject } from './find-monitored-project.ts'
import { NewSetting, presentSetting, SettingChanges, SettingShape } from './setting-schemas.ts'

export const errorSettingsRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config } = app.platform
  const guard = { config: { role: 'maintainer' as const } }

  app.get(
    `${path}/settings`,
    { ...guard, schema: { summary: 'Get the error tracking settings', params: ProjectId, response: { 200: SettingShape } } },
    async ({ em, user, params }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.maintainer)

      return presentSetting(await findSetting(em, project.id))
    }
  )

  app.put(
    `${path}/settings`,
    {
      ...guard,
      schema: {
        summary: 'Enable or disable error tracking, integrated or with an external tracker',
        params: ProjectId,
        body: NewSetting,
        response: { 200: SettingShape }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.maintainer)
      const setting = await em.findOne(ErrorSetting, { projectId: project.id })

      return presentSetting(await changeSetting(em, config, { project, setting }, readValues(body), actor))
    }
  )

  app.patch(
    `${path}/settings`,
    {
      ...guard,
      schema: { summary: 'Change the error tracking settings', params: ProjectId, body: SettingChanges, response: { 200: SettingShape } }
    },
    async ({ em, user, actor, params, body }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.maintainer)
      const setting = await findSetting(em, project.id)

      return presentSetting(await changeSetting(em, config, { project, setting }, readValues(body), actor))
    }
  )
}

/** Drops unknown properties. */
function readValues(body: SettingValues) {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => Object.hasOwn(SettingChanges.properties, name))
  ) as unknown as SettingValues
}

async function findSetting(em: EntityManager, projectId: number) {
  const setting = await em.findOne(ErrorSetting, { projectId })

  if (!setting) throw new NotFound('Error Tracking Setting')

  return setting
}
