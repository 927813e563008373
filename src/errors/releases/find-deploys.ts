import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { type List, selectList } from '#platform/database/list.ts'
import type { DeployRow } from './deploy-store.ts'

export interface LatestDeploy extends DeployRow {
  version: string
  /** Number of the release's deploys. */
  count: number
}

const columns = ['id', 'environment', 'name', 'url', 'started_at', 'finished_at'] as const

/** A release's deploys in any of the projects, latest first. */
export function listDeploys(em: EntityManager, projectIds: number[], version: string): List<DeployRow> {
  const deploys = em
    .getKysely<Tables>()
    .selectFrom('error_deploys')
    .select(columns)
    .distinct()
    .where('project_id', 'in', projectIds)
    .where('version', '=', version)

  return selectList(em, {
    from: deploys,
    load: page => page.execute(),
    keys: [
      { sql: 'finished_at', type: 'timestamptz', of: deploy => deploy.finished_at, sort: 'desc' },
      { sql: 'id', type: 'bigint', of: deploy => deploy.id, sort: 'desc' }
    ]
  })
}

/** The latest deploy of each release, and the number of its deploys. */
export async function latestDeploys(em: EntityManager, projectIds: number[], versions: string[]) {
  const { rows } = await sql<LatestDeploy>`
    SELECT DISTINCT ON (version) version, ${sql.join(columns.map(name => sql.ref(name)))}, count
    FROM error_deploys JOIN (
      SELECT version, count(DISTINCT id) AS count FROM error_deploys
      WHERE project_id = ANY (${projectIds}::bigint[]) AND version = ANY (${versions}::text[]) GROUP BY version
    ) counts USING (version)
    WHERE project_id = ANY (${projectIds}::bigint[])
    ORDER BY version, finished_at DESC, id DESC`.execute(em.getKysely())

  return new Map(rows.map(row => [row.version, row]))
}
