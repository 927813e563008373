import { record } from '../../audit/record-audit-event.ts'
import { ValidationFailed } from '../../http/problems/problems.ts'
import type { Severity } from '../../lib/severity.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { type AlertAdmin, changeAlertConfig } from '../integrations/record-integration.ts'
import { AlertSetting } from './alert-setting.ts'

export interface SettingValues {
  createsIncidents?: boolean
  closesIncidents?: boolean
  severityFloor?: Severity
  sendsEmail?: boolean
  incidentTemplate?: string | null
  isFingerprinting?: boolean
  requestsPerMinute?: number | null
}

const longestTemplate = 100_000
const mostRequests = 1_000_000

/** What a project wants of its alerts, be it what all want that never said. */
export async function findSetting(em: EntityManager, projectId: number) {
  return (await em.findOne(AlertSetting, { projectId })) ?? em.create(AlertSetting, { projectId }, { persist: false })
}

/** What is not given stays as it is. */
export function changeSetting(em: EntityManager, keeper: AlertAdmin, given: SettingValues) {
  checkSetting(given)

  return changeAlertConfig(em, keeper, async em => {
    const { project, actor } = keeper
    const setting = await findSetting(em, project.id)
    const wanted = Object.entries(given).filter(([, value]) => value !== undefined) as [keyof SettingValues, never][]
    const changed = wanted.filter(([name, value]) => (setting[name] ?? null) !== value)

    for (const [name, value] of changed) setting[name] = value
    em.persist(setting)
    if (changed.length > 0) {
      record(em, actor, { name: 'alert_settings_updated', entity: project.audited(), details: { changed: changed.map(([name]) => name) } })
    }

    return setting
  })
}

function checkSetting({ incidentTemplate, requestsPerMinute }: SettingValues) {
  if (incidentTemplate && incidentTemplate.length > longestTemplate) {
    throw new ValidationFailed({ incident_template: [`must have at most ${longestTemplate} characters`] })
  }
  if (requestsPerMinute != null && !(Number.isInteger(requestsPerMinute) && requestsPerMinute >= 1 && requestsPerMinute <= mostRequests)) {
    throw new ValidationFailed({ requests_per_minute: [`must be from 1 to ${mostRequests}, or nothing`] })
  }
}
