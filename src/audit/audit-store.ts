import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

/** All names that occur, in order: each is found by one look into the index, however many events have it. */
export async function listAuditNames(em: EntityManager) {
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE names AS (
      (SELECT name FROM audit_events ORDER BY name LIMIT 1)
      UNION ALL
      SELECT (SELECT e.name FROM audit_events e WHERE e.name > names.name ORDER BY e.name LIMIT 1) FROM names WHERE names.name IS NOT NULL
    )
    SELECT name FROM names WHERE name IS NOT NULL`.execute(em.getKysely())

  return rows.map(({ name }) => name)
}
