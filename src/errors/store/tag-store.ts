import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { NewTag } from './tag-index.ts'

/** Limits the tags of one group, however many workers have seen it. */
const maxTags = 2000

const rows = rowSet<NewTag>({
  project_id: ['bigint', tag => tag.projectId],
  group_id: ['bigint', tag => tag.groupId],
  tag: ['text', ({ name, value }) => `${name}=${value}`]
})

/** The transaction has locked the groups, so that concurrent ones insert the tags of a group one after the other. */
export async function insertTags(em: EntityManager, tags: NewTag[]) {
  if (tags.length > 0) await query(em, insertion, rows.params(tags))
}

const insertion = `
  WITH open AS (
    SELECT group_id FROM (SELECT DISTINCT group_id FROM ${rows.source}) g
    WHERE (SELECT count(*) FROM (SELECT FROM error_tags t WHERE t.group_id = g.group_id LIMIT ${maxTags}) counted) < ${maxTags}
  )
  INSERT INTO error_tags (project_id, tag, group_id)
  SELECT given.project_id, given.tag, given.group_id FROM ${rows.source} JOIN open USING (group_id)
  ORDER BY 1, 2, 3
  ON CONFLICT (project_id, tag, group_id) DO UPDATE SET seen_on = EXCLUDED.seen_on WHERE error_tags.seen_on < EXCLUDED.seen_on`

/** Up to `limit` tags of each group, as `name=value`. */
export async function findTags(em: EntityManager, groupIds: number[], limit: number) {
  const { rows } = await sql<{ id: number; tags: string[] }>`
    SELECT g.id, array(SELECT t.tag FROM error_tags t WHERE t.group_id = g.id LIMIT ${sql.lit(limit)}) AS tags
    FROM unnest(${groupIds}::bigint[]) AS g (id)`.execute(em.getKysely())

  return new Map(rows.map(({ id, tags }) => [id, tags]))
}
