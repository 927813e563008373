import type { Static } from 'typebox'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { definedIn } from '#lib/json.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { isRefName } from '#platform/git/names.ts'
import { getInstanceSetting, type InstanceDefaults } from './instance-setting.ts'
import type { SettingsBody } from './instance-setting-schemas.ts'

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
    domainAllowlist: body.domain_allowlist && [...new Set(body.domain_allowlist.map(domain => domain.toLowerCase()))],
    announcement: body.announcement,
    announcementEndsAt: body.announcement_ends_at === undefined ? undefined : (toTime(body.announcement_ends_at ?? undefined) ?? null)
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
