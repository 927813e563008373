import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { conditions } from './conditions.ts'

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
  const names = new Set(Object.keys(conditions))

  return rows.map(({ name }) => name).filter(name => /^[\w.-]+$/.test(name) && !names.has(name))
}

/** Whether any error has a tag of this name. */
export async function hasTag(em: EntityManager, projectId: number, name: string) {
  // The character after = ends the range of this name's tags.
  const { rows } = await sql`
    SELECT FROM error_tags WHERE project_id = ${projectId} AND tag >= ${`${name}=`} AND tag < ${`${name}>`} LIMIT 1`.execute(em.getKysely())

  return rows.length > 0
}

const maxReleases = 5000

/** When the releases of a project were first seen. */
export async function listReleaseTimes(em: EntityManager, projectId: number) {
  const { rows } = await sql<{ version: string; at: Date }>`
    SELECT version, first_seen_at AS at FROM error_releases WHERE project_id = ${projectId} ORDER BY first_seen_at DESC LIMIT ${sql.lit(maxReleases)}`.execute(
    em.getKysely()
  )

  return new Map(rows.map(({ version, at }) => [version, new Date(at)]))
}
