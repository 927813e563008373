import { lockForChange } from '#api/conditional-requests.ts'
import { ValidationFailed } from '#api/problems/problems.ts'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isRefName } from '#platform/git/names.ts'
import { getInstanceSetting, type InstanceDefaults } from './instance-setting.ts'

/** Members that are left out stay unchanged. */
export function changeInstanceSettings(em: EntityManager, changes: Partial<InstanceDefaults>, by: Actor) {
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
