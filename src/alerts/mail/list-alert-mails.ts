import { type EntityManager, query } from '../../platform/database/database.ts'

interface AlertUpdates {
  projectId: number
  triggered: number[]
  resolved: number[]
  isByHand?: boolean
}

/** The e-mails to send, as the project's settings say. Changes made by users send none. */
export async function listAlertMails(em: EntityManager, { projectId, triggered, resolved, isByHand }: AlertUpdates) {
  if (isByHand) return []
  const rows = await query<{ iid: string }>(
    em,
    `SELECT iid FROM alerts a JOIN alert_settings s USING (project_id)
     WHERE project_id = $1 AND iid = ANY ($2::bigint[]) AND s.sends_email AND a.severity <= s.severity_floor`,
    [projectId, [...triggered, ...resolved]]
  )
  const mailed = new Set(rows.map(({ iid }) => Number(iid)))
  const mails = (iids: number[], became: 'triggered' | 'resolved') =>
    iids.filter(iid => mailed.has(iid)).map(iid => ({ projectId, iid, became }))

  return [...mails(triggered, 'triggered'), ...mails(resolved, 'resolved')]
}
