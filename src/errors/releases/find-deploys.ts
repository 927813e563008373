import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { DeployRow } from './deploy-store.ts'

interface Page {
  after?: [finishedAt: string, id: number]
  limit: number
}

export interface LatestDeploy extends DeployRow {
  version: string
  /** Of the release's deploys. */
  count: number
}

const columns = ['id', 'environment', 'name', 'url', 'started_at', 'finished_at'] as const

/** A page of a release's deploys in any of the projects, latest first. */
export function listDeploys(em: EntityManager, projectIds: number[], version: string, { after, limit }: Page): Promise<DeployRow[]> {
  return em
    .getKysely<Tables>()
    .selectFrom('error_deploys')
    .select(columns)
    .distinct()
    .where('project_id', 'in', projectIds)
    .where('version', '=', version)
    .$if(after !== undefined, deploys =>
      deploys.where(e => e(e.refTuple('finished_at', 'id'), '<', e.tuple(new Date(after![0]), after![1])))
    )
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
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
