import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import type { AlertFilter } from '../alert-filter.ts'
import { candidates, sorts } from './candidates.ts'

const maxRead = 300
const maxSuggested = 50

export interface Suggestions {
  services: string[]
  environments: string[]
  integrations: { id: number; name: string; project_id: number }[]
}

/** Values for the filters: of the newest alerts with these statuses, and the integrations of the projects. */
export async function suggestFilters(em: EntityManager, { projectIds, statuses }: AlertFilter): Promise<Suggestions> {
  if (projectIds.length === 0) return { services: [], environments: [], integrations: [] }
  const limit = Math.ceil(maxRead / projectIds.length)
  const newest = candidates({ projectIds, statuses }, sorts.newest, { limit }, sql`, service, environment`)
  const { rows } = await sql<Suggestions>`
    WITH newest AS MATERIALIZED (${newest})
    SELECT ARRAY (SELECT DISTINCT service FROM newest WHERE service IS NOT NULL ORDER BY 1 LIMIT ${maxSuggested}) AS services,
           ARRAY (SELECT DISTINCT environment FROM newest WHERE environment IS NOT NULL ORDER BY 1 LIMIT ${maxSuggested}) AS environments,
           (SELECT coalesce(jsonb_agg(i ORDER BY i.name, i.id), '[]') FROM (
             SELECT id, name, project_id FROM alert_integrations WHERE project_id = ANY (${projectIds}::bigint[])
             ORDER BY id DESC LIMIT ${maxSuggested}) AS i) AS integrations`.execute(em.getKysely())

  return rows[0]!
}
