import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { type AuditEntry, actorOf, record } from '../../audit/record-audit-event.ts'
import { NotFound, ValidationFailed } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { invalidateCache } from '../../platform/cache/invalidate-cache.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import type { Project } from '../../projects/project.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { ErrorSetting } from './error-setting.ts'
import { findMonitored } from './find-monitored-project.ts'
import { linkTracker } from './link-tracker.ts'
import { NewSetting, SettingChanges, SettingShape } from './setting-schemas.ts'

/** Whether a project takes in errors, how many, what it keeps of them, or where they are instead; all of it for maintainers. */
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
        body: NewSetting,
        response: { 200: SettingShape }
      }
    },
    async request => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.maintainer)
      const { id: projectId } = project
      const wanted = readSetting(request.body)
      const tracker = await linkTracker(config, projectId, request.body, await em.findOne(ErrorSetting, { projectId }))
      const setting = await em.transactional(async em => {
        record(em, actorOf(request), changed(project, request.body))

        return em.upsert(ErrorSetting, { projectId, ...wanted, ...tracker })
      })

      await tellAll(em, projectId)

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
      const wanted = readSetting(request.body)
      const tracker = await linkTracker(config, project.id, { integrated: setting.integrated, ...request.body }, setting)

      em.assign(setting, { ...wanted, ...tracker })
      record(em, actorOf(request), changed(project, request.body))
      await em.flush()
      await tellAll(em, project.id)

      return presentSetting(setting)
    }
  )

  function readSetting(wanted: Static<typeof SettingChanges>) {
    const longest = config.eventRetentionDays

    if ((wanted.retention_days ?? 0) > longest) {
      throw new ValidationFailed({
        retention_days: [`must be at most ${longest}, for as long as events are kept here (EVENT_RETENTION_DAYS)`]
      })
    }

    return given({
      active: wanted.active,
      integrated: wanted.integrated,
      eventsPerMinute: wanted.events_per_minute,
      hasSpikeProtection: wanted.spike_protection,
      isScrubbing: wanted.scrubbing,
      scrubbedKeys: wanted.scrubbed_keys,
      safeKeys: wanted.safe_keys,
      keepsIpAddresses: wanted.keep_ip_addresses,
      retentionDays: wanted.retention_days
    })
  }

  /** The doors know a project by its keys, the workers by its id. */
  async function tellAll(em: EntityManager, projectId: number) {
    await invalidateCache(em, config, 'client-key')
    await invalidateCache(em, config, 'scrub-rules', String(projectId))
  }
}

/** Which settings were given; not what they are, as a token may be among them. */
function changed(project: Project, body: object): AuditEntry {
  const given = Object.keys(body).filter(name => Object.hasOwn(SettingChanges.properties, name))

  return { name: 'error_tracking_settings_updated', entity: project.audited(), details: { given } }
}

/** What was left out stays as it was. */
function given<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

async function findSetting(em: EntityManager, projectId: number) {
  const setting = await em.findOne(ErrorSetting, { projectId })

  if (!setting) throw new NotFound('Error Tracking Setting')

  return setting
}

function presentSetting(setting: ErrorSetting) {
  return {
    active: setting.active,
    project_name: setting.projectName ?? null,
    tracker_external_url: setting.trackerExternalUrl ?? null,
    sentry_external_url: setting.trackerExternalUrl ?? null,
    api_url: setting.apiUrl ?? null,
    integrated: setting.integrated,
    events_per_minute: setting.eventsPerMinute ?? null,
    spike_protection: setting.hasSpikeProtection,
    scrubbing: setting.isScrubbing,
    scrubbed_keys: setting.scrubbedKeys,
    safe_keys: setting.safeKeys,
    keep_ip_addresses: setting.keepsIpAddresses,
    retention_days: setting.retentionDays ?? null
  }
}
