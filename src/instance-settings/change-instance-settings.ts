import Type, { type Static } from 'typebox'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { definedIn } from '#lib/json.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { isRefName } from '#platform/git/names.ts'
import { getInstanceSetting, type InstanceDefaults, signUpModes } from './instance-setting.ts'

const Visibility = Type.Enum(['private', 'internal', 'public'])

export const SettingsShape = Type.Object({
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
  }),
  sign_up: Type.Enum([...signUpModes], {
    description:
      'Who can create an account: nobody, people who are invited to a project or group, also people with an address of `domain_allowlist`, or anyone, whom an admin approves.'
  }),
  domain_allowlist: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'Domains whose addresses can sign up; empty for all, which `domains` does not allow.'
  })
})
export const SettingsBody = Type.Partial(SettingsShape)

export function presentSettings(settings: InstanceDefaults) {
  return {
    default_projects_limit: settings.defaultProjectsLimit,
    can_create_group: settings.canCreateGroup,
    default_project_visibility: settings.defaultProjectVisibility,
    default_group_visibility: settings.defaultGroupVisibility,
    default_branch_name: settings.defaultBranchName,
    deletion_adjourned_period: settings.deletionAdjournedPeriod,
    sign_up: settings.signUp,
    domain_allowlist: settings.domainAllowlist
  }
}

/** Members that are left out stay unchanged. */
export function changeInstanceSettings(em: EntityManager, body: Static<typeof SettingsBody>, by: Actor) {
  const changes = readChanges(body)

  return em.transactional(async em => {
    const setting = await getInstanceSetting(em)

    await lockForChange(em, setting)
    checkSettings({ ...setting, ...changes })
    const changed = (Object.keys(changes) as (keyof InstanceDefaults)[]).filter(name => String(changes[name]) !== String(setting[name]))

    if (changed.length > 0) {
      const details = Object.fromEntries(changed.map(name => [name, { from: setting[name], to: changes[name] }]))

      recordAuditEvent(em, by, { name: 'instance_settings_updated', entity: instance, details })
    }
    em.assign(setting, changes)

    return setting
  })
}

function readChanges(body: Static<typeof SettingsBody>): Partial<InstanceDefaults> {
  return definedIn({
    defaultProjectsLimit: body.default_projects_limit,
    canCreateGroup: body.can_create_group,
    defaultProjectVisibility: body.default_project_visibility,
    defaultGroupVisibility: body.default_group_visibility,
    defaultBranchName: body.default_branch_name,
    deletionAdjournedPeriod: body.deletion_adjourned_period,
    signUp: body.sign_up,
    domainAllowlist: body.domain_allowlist && [...new Set(body.domain_allowlist.map(domain => domain.toLowerCase()))]
  })
}

function checkSettings({ defaultBranchName, signUp, domainAllowlist }: InstanceDefaults) {
  if (defaultBranchName && !isRefName(defaultBranchName)) {
    throw new ValidationFailed({ default_branch_name: ['is not the name of a branch'] })
  }
  const wrong = domainAllowlist.find(domain => !/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(domain))

  if (wrong) throw new ValidationFailed({ domain_allowlist: [`${wrong} is not a domain`] })
  if (signUp === 'domains' && domainAllowlist.length === 0) throw new ValidationFailed({ domain_allowlist: ['must name a domain'] })
}
