import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { termNames } from './read-search.ts'

const maxNames = 50
const latestGroups = 20
const tagsOfGroup = 50

/** The names of tags that the latest errors have, except those that mean another condition. */
export async function listTagNames(em: EntityManager, projectId: number) {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT split_part(t.tag, '=', 1) AS name FROM (
      SELECT id FROM error_groups WHERE project_id = ${projectId} AND status = 'unresolved' AND merged_into IS NULL
      ORDER BY last_seen_at DESC, id DESC LIMIT ${sql.lit(latestGroups)}
    ) g CROSS JOIN LATERAL (SELECT tag FROM error_tags WHERE group_id = g.id LIMIT ${sql.lit(tagsOfGroup)}) t
    ORDER BY name LIMIT ${sql.lit(maxNames)}`.execute(em.getKysely())
  const names = new Set<string>(termNames)

  return rows.map(({ name }) => name).filter(name => /^[\w.-]+$/.test(name) && !names.has(name))
}
