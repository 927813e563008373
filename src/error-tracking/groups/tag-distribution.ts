import { type EntityManager, query } from '../../platform/database/database.ts'
import { daysOf } from '../events/stored-event.ts'
import { lotsOf } from '../merge/move-chunks.ts'
import type { ErrorGroup } from './error-group.ts'

/** Older events hardly change the picture, and reading them all would take as long as there are events. */
const looked = 1000
const mostValues = 20

interface TagCount {
  tag: string
  count: string
  /** When the oldest of those that were looked at happened, if these were as many as may be. */
  reach: string | null
}

/** How the latest events of a group spread over each tag's values, most frequent first. */
export async function tagDistribution(em: EntityManager, group: ErrorGroup) {
  const lots = await lotsOf(em, group)
  let rows: TagCount[] = []

  for (const { from, isEnough } of daysOf(group, { isAscending: false, limit: looked })) {
    rows = await countTags(em, group.projectId, lots, from)
    if (isEnough(rows[0]?.reach ? new Date(rows[0].reach) : undefined)) break
  }
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

function countTags(em: EntityManager, projectId: number, lots: number[], from: string | undefined) {
  return query<TagCount>(
    em,
    `WITH latest AS MATERIALIZED (
       SELECT e.* FROM unnest($2::bigint[]) AS lot (id) CROSS JOIN LATERAL (
         SELECT tags, occurred_at, event_id FROM error_events
         WHERE project_id = $1 AND group_id = lot.id ${from ? 'AND day >= $3::date' : ''}
         ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
       ) AS e ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
     )
     SELECT tag, count(*), (SELECT CASE WHEN count(*) = ${looked} THEN min(occurred_at) END FROM latest) AS reach
     FROM latest, unnest(tags) AS tag GROUP BY 1 ORDER BY 2 DESC, 1`,
    [projectId, lots, ...(from ? [from] : [])]
  )
}
