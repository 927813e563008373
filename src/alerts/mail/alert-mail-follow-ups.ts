import type { AlertNews } from '../../incidents/incident-follow-ups.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'

/** The news that a project wants e-mail of: those of alerts that are grave enough. */
export async function wantedMail(em: EntityManager, { projectId, triggered, resolved, isByHand }: AlertNews) {
  if (isByHand) return []
  const rows = await query<{ iid: string }>(
    em,
    `SELECT iid FROM alerts a JOIN alert_settings s USING (project_id)
     WHERE project_id = $1 AND iid = ANY ($2::bigint[]) AND s.sends_email AND a.severity <= s.severity_floor ORDER BY iid`,
    [projectId, [...triggered, ...resolved]]
  )
  const wanted = new Set(rows.map(({ iid }) => Number(iid)))
  const newsOf = (iids: number[], became: 'triggered' | 'resolved') =>
    iids.filter(iid => wanted.has(iid)).map(iid => ({ projectId, iid, became }))

  return [...newsOf(triggered, 'triggered'), ...newsOf(resolved, 'resolved')]
}
