import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { definedIn } from '#lib/json.ts'
import { MissingParameters, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { isRefName } from '#platform/git/names.ts'
import { getInstanceSetting, type InstanceDefaults, readInstanceSettings } from './instance-setting.ts'

const Visibility = Type.Enum(['private', 'internal', 'public'])
const shape = {
  default_projects_limit: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Of the personal namespaces of new users.' }),
  can_create_group: Type.Boolean({ description: 'Whether new users can create top-level groups.' }),
  default_project_visibility: Visibility,
  default_group_visibility: Visibility,
  default_branch_name: Type.String({
    maxLength: 255,
    description: 'Default branch of new projects in groups without one; empty for `main`.'
  }),
  deletion_adjourned_period: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'Days for which deleted projects and groups can be restored; 0 deletes them immediately.'
  })
}
const SettingsShape = Type.Object(shape)
const SettingsBody = Type.Partial(SettingsShape)

/** GitLab's application settings, of which these exist. Others are ignored. */
export const instanceSettingRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const guard = { config: { role: 'admin' as const } }
  const path = '/application/settings'

  app.get(path, { ...guard, schema: { summary: 'Get the settings of the installation', response: { 200: SettingsShape } } }, async () =>
    present(await readInstanceSettings(fork()))
  )

  app.put(
    path,
    { ...guard, schema: { summary: 'Change the settings of the installation', body: SettingsBody, response: { 200: SettingsShape } } },
    async ({ em, actor, body }) => {
      const changes = readChanges(body)

      if (Object.keys(body).length === 0) throw new MissingParameters(...Object.keys(shape))

      return present(await changeInstanceSettings(em, changes, actor))
    }
  )
}

function present(settings: InstanceDefaults) {
  return {
    default_projects_limit: settings.defaultProjectsLimit,
    can_create_group: settings.canCreateGroup,
    default_project_visibility: settings.defaultProjectVisibility,
    default_group_visibility: settings.defaultGroupVisibility,
    default_branch_name: settings.defaultBranchName,
    deletion_adjourned_period: settings.deletionAdjournedPeriod
  }
}

function readChanges(body: Static<typeof SettingsBody>) {
  return definedIn({
    defaultProjectsLimit: body.default_projects_limit,
    canCreateGroup: body.can_create_group,
    defaultProjectVisibility: body.default_project_visibility,
    defaultGroupVisibility: body.default_group_visibility,
    defaultBranchName: body.default_branch_name,
    deletionAdjournedPeriod: body.deletion_adjourned_period
  })
}

/** Members that are left out stay unchanged. */
function changeInstanceSettings(em: EntityManager, changes: Partial<InstanceDefaults>, by: Actor) {
  if (changes.defaultBranchName && !isRefName(changes.defaultBranchName)) {
    throw new ValidationFailed({ default_branch_name: ['is not the name of a branch'] })
  }

  return em.transactional(async em => {
    const setting = await getInstanceSetting(em)

    await lockForChange(em, setting)
    const changed = (Object.keys(changes) as (keyof InstanceDefaults)[]).filter(name => changes[name] !== setting[name])

    if (changed.length > 0) {
      const details = Object.fromEntries(changed.map(name => [name, { from: setting[name], to: changes[name] }]))

      recordAuditEvent(em, by, { name: 'instance_settings_updated', entity: instance, details })
    }
    em.assign(setting, changes)

    return setting
  })
}
