import { type EntityManager, query } from '#platform/database/database.ts'
import type { DeployTable } from '../tables.ts'

export type DeployRow = Omit<DeployTable, 'project_id' | 'version'>

export interface NewDeploy {
  environment: string
  name?: string
  url?: string
  startedAt?: Date
  finishedAt: Date
}

/** Stores a deploy of the release in each project. */
export async function insertDeploy(em: EntityManager, projectIds: number[], version: string, deploy: NewDeploy) {
  const [row] = await query<DeployRow>(
    em,
    `WITH deploy AS MATERIALIZED (SELECT nextval('error_deploy_ids') AS id)
     INSERT INTO error_deploys (project_id, version, id, environment, name, url, started_at, finished_at)
     SELECT project_id, $2, deploy.id, $3, $4, $5, $6::timestamptz, $7::timestamptz FROM deploy, unnest($1::bigint[]) AS project_id
     ORDER BY project_id RETURNING *`,
    [projectIds, version, deploy.environment, deploy.name ?? null, deploy.url ?? null, deploy.startedAt ?? null, deploy.finishedAt]
  )

  return row!
}
