import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

/** The environments of the project's errors. Skips from one to the next in the index: each may have any number of groups. */
export async function listEnvironments(em: EntityManager, projectId: number, max: number) {
  const next = (after: ReturnType<typeof sql>) => sql`
    (SELECT trait FROM error_traits WHERE project_id = ${projectId} AND trait > ${after} AND trait < 'environment!' ORDER BY trait LIMIT 1)`
  const { rows } = await sql<{ trait: string }>`
    WITH RECURSIVE found (trait) AS (
      SELECT ${next(sql`'environment '`)}
      UNION ALL
      SELECT ${next(sql`found.trait`)} FROM found WHERE found.trait IS NOT NULL
    ) SELECT trait FROM found WHERE trait IS NOT NULL LIMIT ${sql.lit(max)}`.execute(em.getKysely())

  return rows.map(({ trait }) => trait.slice('environment '.length))
}
