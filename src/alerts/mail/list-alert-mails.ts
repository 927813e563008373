import type { EntityManager } from '../../platform/database/database.ts'
import type { AlertTable } from '../alert.ts'
import type { AlertSettingTable } from '../settings/alert-setting.ts'

interface AlertUpdates {
  projectId: number
  triggered: number[]
  resolved: number[]
  isByHand?: boolean
}

interface Tables {
  alerts: AlertTable
  alert_settings: AlertSettingTable
}

/** The e-mails to send, as the project's settings say. Changes made by users send none, and neither do ignored alerts. */
export async function listAlertMails(em: EntityManager, { projectId, triggered, resolved, isByHand }: AlertUpdates) {
  if (isByHand || triggered.length + resolved.length === 0) return []
  const alerts = await em
    .getKysely<Tables>()
    .selectFrom('alerts as a')
    .innerJoin('alert_settings as s', 's.project_id', 'a.project_id')
    .where('a.project_id', '=', projectId)
    .where('a.iid', 'in', [...triggered, ...resolved])
    .where('s.sends_email', '=', true)
    .where('a.status', '<>', 'ignored')
    .whereRef('a.severity', '<=', 's.severity_floor')
    .select('a.iid')
    .execute()
  const mailed = new Set(alerts.map(({ iid }) => Number(iid)))
  const mails = (iids: number[], became: 'triggered' | 'resolved') =>
    iids.filter(iid => mailed.has(iid)).map(iid => ({ projectId, iid, became }))

  return [...mails(triggered, 'triggered'), ...mails(resolved, 'resolved')]
}
