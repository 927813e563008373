import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'

export const periods = {
  '24h': { unit: 'hour', step: 3600, count: 24 },
  '7d': { unit: 'day', step: 86_400, count: 7 },
  '14d': { unit: 'day', step: 86_400, count: 14 },
  '30d': { unit: 'day', step: 86_400, count: 30 }
} as const
export type Period = keyof typeof periods

/** The unix times at which the intervals of a period begin, oldest first, and an SQL expression for the interval of an `hour`. */
export function intervalsOf(period: Period, now: Date) {
  const { unit, step, count } = periods[period]
  const last = Math.floor(now.getTime() / 1000 / step) * step
  const starts = Array.from({ length: count }, (_, n) => last - (count - 1 - n) * step)

  return {
    starts,
    first: new Date(starts[0]! * 1000),
    start: sql<number>`extract(epoch FROM date_trunc(${sql.lit(unit)}, hour, 'UTC'))::int`
  }
}

/** Events of each group in each interval of a period: `[unix time, events]`. */
export async function frequencies(em: EntityManager, projectId: number, groupIds: number[], period: Period, now: Date) {
  const { starts, first, start } = intervalsOf(period, now)
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_hourly_counts')
    .select(e => ['group_id', start.as('start'), e.cast<number>(e.fn.sum('events'), 'bigint').as('events')])
    .where('project_id', '=', projectId)
    .where('group_id', '=', sql<number>`ANY (${groupIds}::bigint[])`)
    .where('hour', '>=', first)
    .groupBy(['group_id', 'start'])
    .execute()
  const events = new Map(rows.map(row => [`${row.group_id} ${row.start}`, row.events]))

  return new Map(groupIds.map(id => [id, starts.map((at): [number, number] => [at, events.get(`${id} ${at}`) ?? 0])]))
}
