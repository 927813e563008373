import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotFound } from '../../http/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { announce } from '../../platform/announce.ts'
import type { EntityManager } from '../../platform/database.ts'
import { Role } from '../../projects/member.ts'
import { findMonitored } from '../find-monitored.ts'
import { linkTracker } from '../link-tracker.ts'
import { ErrorSetting } from '../setting.ts'
import { ProjectId, SettingBody, SettingChanges, SettingShape } from './schemas.ts'

/** Whether a project takes in errors, or where they are instead; all of it for maintainers. */
export const errorSettingsRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'maintainer' as const } }

  app.get(
    `${path}/settings`,
    { ...guard, schema: { summary: 'The error-tracking settings', params: ProjectId, response: { 200: SettingShape } } },
    async request => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)

      return presentSetting(await findSetting(em, project.id))
    }
  )

  app.put(
    `${path}/settings`,
    {
      ...guard,
      schema: {
        summary: 'Turn error tracking on or off, here or at an external tracker',
        params: ProjectId,
        body: SettingBody,
        response: { 200: SettingShape }
      }
    },
    async request => {
      const em = fork()
      const { id: projectId } = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const tracker = await linkTracker(config, projectId, request.body, await em.findOne(ErrorSetting, { projectId }))
      const setting = await em.upsert(ErrorSetting, { projectId, ...pick(request.body), ...tracker })

      await announce(em, config, 'client-key')

      return presentSetting(setting)
    }
  )

  app.patch(
    `${path}/settings`,
    {
      ...guard,
      schema: { summary: 'Change the error-tracking settings', params: ProjectId, body: SettingChanges, response: { 200: SettingShape } }
    },
    async request => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const setting = await findSetting(em, project.id)
      const tracker = await linkTracker(config, project.id, { integrated: setting.integrated, ...request.body }, setting)

      em.assign(setting, { ...pick(request.body), ...tracker })
      await em.flush()
      await announce(em, config, 'client-key')

      return presentSetting(setting)
    }
  )
}

async function findSetting(em: EntityManager, projectId: number) {
  const setting = await em.findOne(ErrorSetting, { projectId })

  if (!setting) throw new NotFound('Error Tracking Setting')

  return setting
}

function pick<Integrated extends boolean | undefined>({ active, integrated }: { active: boolean; integrated?: Integrated }) {
  return (integrated === undefined ? { active } : { active, integrated }) as { active: boolean; integrated: Integrated }
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
