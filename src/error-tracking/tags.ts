import { type EntityManager, query } from '../platform/database.ts'
import type { ErrorGroup } from './group.ts'
import { lotsOf } from './regroup/lots.ts'

/** Older events hardly change the picture, and reading them all would take as long as there are events. */
const looked = 1000
const mostValues = 20

/** How the latest events of a group spread over each tag's values, most frequent first. */
export async function tagDistribution(em: EntityManager, group: ErrorGroup) {
  const rows = await query<{ tag: string; count: string }>(
    em,
    `SELECT tag, count(*) FROM (
       SELECT e.tags FROM unnest($2::bigint[]) AS lot (id) CROSS JOIN LATERAL (
         SELECT tags, occurred_at, event_id FROM error_events WHERE project_id = $1 AND group_id = lot.id
         ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
       ) AS e ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
     ) latest, unnest(tags) AS tag GROUP BY 1 ORDER BY 2 DESC, 1`,
    [group.projectId, await lotsOf(em, group)]
  )
  const tags = new Map<string, { value: string; count: number }[]>()

  for (const { tag, count } of rows) {
    const at = tag.indexOf('=')
    const key = tag.slice(0, at)

    tags.set(key, [...(tags.get(key) ?? []), { value: tag.slice(at + 1), count: Number(count) }])
  }

  return [...tags].map(([key, values]) => ({
    key,
    total: values.reduce((sum, { count }) => sum + count, 0),
    values: values.slice(0, mostValues)
  }))
}
