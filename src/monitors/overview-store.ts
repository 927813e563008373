import { type EntityManager, query } from '#platform/database/database.ts'
import type { Rows } from '#platform/database/list.ts'
import type { Monitor } from './monitor.ts'
import type { MonitorState } from './monitor-state.ts'

export interface EnvironmentRow extends Pick<MonitorState, 'state' | 'failures' | 'lastRunAt' | 'dueAt'> {
  id: number
  monitorId: number
  environment: string
}

export type MonitorRow = Pick<Monitor, 'id' | 'slug' | 'name' | 'kind' | 'http' | 'schedule' | 'timezone' | 'isMuted'> & {
  state: MonitorState['state']
}

/** The monitors of a project: those that fail first, then by name. */
export function listMonitors(em: EntityManager, projectId: number): Rows<MonitorRow> {
  return {
    list: (limit, offset = 0) =>
      query<MonitorRow>(
        em,
        `SELECT m.id, m.slug, m.name, m.kind, m.http, m.schedule, m.timezone, m.is_muted AS "isMuted",
           CASE WHEN bool_or(e.state = 'failing') THEN 'failing' WHEN bool_or(e.state = 'ok') THEN 'ok' ELSE 'waiting' END AS state
         FROM monitors m LEFT JOIN monitor_environments e ON e.monitor_id = m.id
         WHERE m.project_id = $1 GROUP BY m.id
         ORDER BY bool_or(e.state = 'failing') IS TRUE DESC, lower(m.name), m.id LIMIT $2 OFFSET $3`,
        [projectId, limit, offset]
      ),
    count: async () => (await query<{ count: number }>(em, 'SELECT count(*) FROM monitors WHERE project_id = $1', [projectId]))[0]!.count
  }
}

export function listEnvironments(em: EntityManager, monitorIds: number[]) {
  return query<EnvironmentRow>(
    em,
    `SELECT id, monitor_id AS "monitorId", environment, state, failures, last_run_at AS "lastRunAt", due_at AS "dueAt"
     FROM monitor_environments WHERE monitor_id = ANY ($1::bigint[]) ORDER BY environment <> 'production', environment`,
    [monitorIds]
  )
}
