import type { ProjectNews } from '../alerts/receive-alerts.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import type { ItemOf } from '../platform/queue/job.ts'
import type { followAlerts } from './jobs.ts'

export type AlertNews = ItemOf<typeof followAlerts>

/** The news of each project that wants anything to be done about them; most want nothing, and cost nothing more. */
export async function wantedNews(em: EntityManager, news: ProjectNews[]): Promise<AlertNews[]> {
  if (news.length === 0) return []
  const projects = Map.groupBy(news, ({ projectId }) => projectId)
  const rows = await query<{ project_id: string }>(
    em,
    `SELECT project_id FROM alert_settings
     WHERE project_id = ANY ($1::bigint[]) AND (creates_incidents OR closes_incidents OR sends_email) ORDER BY project_id`,
    [[...projects.keys()]]
  )

  return rows.map(row => {
    const projectId = Number(row.project_id)
    const own = projects.get(projectId)!
    const iids = (wanted: string) => [...new Set(own.filter(({ became }) => became === wanted).map(({ iid }) => iid))]

    return { projectId, cause: own[0]!.requestId, triggered: iids('triggered'), resolved: iids('resolved') }
  })
}
