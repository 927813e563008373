import { recordAuditEvent } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { AlertSetting, type SettingValues } from './alert-setting.ts'
import { type AlertAdmin, changeAlertConfig } from './integrations/record-integration.ts'

const maxTemplateLength = 100_000
const maxRequests = 1_000_000

/** The settings of a project, or the defaults. */
export async function findSetting(em: EntityManager, projectId: number) {
  return (await em.findOne(AlertSetting, { projectId })) ?? em.create(AlertSetting, { projectId }, { persist: false })
}

export function changeSetting(em: EntityManager, admin: AlertAdmin, values: SettingValues) {
  validate(values)

  return changeAlertConfig(em, admin, async em => {
    const { project, actor } = admin
    // The date of a new row is earlier than any that a client can name.
    const setting =
      (await em.findOne(AlertSetting, { projectId: project.id })) ??
      em.create(AlertSetting, { projectId: project.id, updatedAt: new Date(0) })

    await em.flush()
    await lockForChange(em, setting)
    const defined = Object.entries(values).filter(([, value]) => value !== undefined) as [keyof SettingValues, never][]
    const changed = defined.filter(([name, value]) => (setting[name] ?? null) !== value)

    for (const [name, value] of changed) setting[name] = value
    if (changed.length > 0) {
      recordAuditEvent(em, actor, {
        name: 'alert_settings_updated',
        entity: project.audited(),
        details: { changed: changed.map(([name]) => name) }
      })
    }

    return setting
  })
}

function validate({ incidentTemplate, requestsPerMinute }: SettingValues) {
  if (incidentTemplate && incidentTemplate.length > maxTemplateLength) {
    throw new ValidationFailed({ incident_template: [`must have at most ${maxTemplateLength} characters`] })
  }
  if (requestsPerMinute != null && !(Number.isInteger(requestsPerMinute) && requestsPerMinute >= 1 && requestsPerMinute <= maxRequests)) {
    throw new ValidationFailed({ requests_per_minute: [`must be from 1 to ${maxRequests}, or empty`] })
  }
}
