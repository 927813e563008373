import { sql } from 'kysely'
import type { EntityManager } from '../../platform/database/database.ts'
import { levels } from '../groups/group-filter.ts'
import { findNewestReleases } from '../releases/find-releases.ts'
import { isValues } from './read-search.ts'

const maxTraits = 50

/** Terms to complete a search with: those of the language, and the project's environments and newest releases. */
export async function suggestTerms(em: EntityManager, projectId: number) {
  const environments = await listEnvironments(em, projectId)
  const releases = await findNewestReleases(em, projectId, 10)

  return [
    ...isValues.map(value => `is:${value}`),
    'assigned:me',
    'assigned:none',
    ...levels.map(level => `level:${level}`),
    ...['<1h', '<1d', '>1w'].map(age => `first-seen:${age}`),
    ...['<1h', '<1d', '>1w'].map(age => `last-seen:${age}`),
    ...environments.map(environment => `environment:${quote(environment)}`),
    ...releases.map(({ version }) => `release:${quote(version)}`)
  ]
}

function quote(value: string) {
  return /\s/.test(value) ? `"${value}"` : value
}

/** Skips from one environment to the next in the index: each may have any number of groups. */
async function listEnvironments(em: EntityManager, projectId: number) {
  const next = (after: ReturnType<typeof sql>) => sql`
    (SELECT trait FROM error_traits WHERE project_id = ${projectId} AND trait > ${after} AND trait < 'environment!' ORDER BY trait LIMIT 1)`
  const { rows } = await sql<{ trait: string }>`
    WITH RECURSIVE found (trait) AS (
      SELECT ${next(sql`'environment '`)}
      UNION ALL
      SELECT ${next(sql`found.trait`)} FROM found WHERE found.trait IS NOT NULL
    ) SELECT trait FROM found WHERE trait IS NOT NULL LIMIT ${sql.lit(maxTraits)}`.execute(em.getKysely())

  return rows.map(({ trait }) => trait.slice('environment '.length))
}
