import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { dayRanges } from '../events/event-days.ts'
import { selectEvents } from '../events/select-events.ts'
import { findEventGroupIds } from '../merge/pending-moves.ts'
import type { ErrorGroup } from './error-group.ts'

/** Older events hardly change the distribution. */
const maxEvents = 1000
const maxValues = 20

/** How often each value of each tag occurs in the latest events of a group, most frequent first. */
export async function tagDistribution(em: EntityManager, group: ErrorGroup) {
  const groupIds = await findEventGroupIds(em, group)
  let rows: Awaited<ReturnType<typeof countTags>> = []

  for (const { from, isComplete } of dayRanges(group, { isAscending: false, limit: maxEvents })) {
    rows = await countTags(em, group.projectId, groupIds, from)
    if (isComplete(rows[0]?.oldest ?? undefined)) break
  }
  const tags = Map.groupBy(rows, ({ tag }) => tag.slice(0, tag.indexOf('=')))

  return [...tags].map(([key, values]) => ({
    key,
    total: values.reduce((sum, { count }) => sum + count, 0),
    values: values.slice(0, maxValues).map(({ tag, count }) => ({ value: tag.slice(key.length + 1), count }))
  }))
}

/** `oldest` is the time of the oldest event, or null when there are fewer than the maximum. */
function countTags(em: EntityManager, projectId: number, groupIds: number[], from: string | undefined) {
  return em
    .getKysely<Tables>()
    .with(
      cte => cte('latest').materialized(),
      () => selectEvents(em, { projectId, groupIds, limit: maxEvents, from }, ['tags'])
    )
    .selectFrom('latest')
    .crossJoin(sql<{ tag: string }>`unnest(latest.tags)`.as<'t'>(sql`t(tag)`))
    .select(e => [
      't.tag',
      e.fn.countAll<number>().as('count'),
      sql<Date | null>`(SELECT CASE WHEN count(*) = ${sql.lit(maxEvents)} THEN min(occurred_at) END FROM latest)`.as('oldest')
    ])
    .groupBy('t.tag')
    .orderBy('count', 'desc')
    .orderBy('t.tag')
    .execute()
}
