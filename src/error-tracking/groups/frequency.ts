import { type EntityManager, query } from '../../platform/database/database.ts'

export const periods = {
  '24h': { unit: 'hour', step: 3600, count: 24 },
  '7d': { unit: 'day', step: 86_400, count: 7 },
  '14d': { unit: 'day', step: 86_400, count: 14 },
  '30d': { unit: 'day', step: 86_400, count: 30 }
} as const
export type Period = keyof typeof periods

/** Events of each group by hour or by day, up to now, the empty ones too: `[unix time, events]`, oldest first. */
export async function frequencies(em: EntityManager, projectId: number, groupIds: number[], period: Period, now: Date) {
  const { unit, step, count } = periods[period]
  const last = Math.floor(now.getTime() / 1000 / step) * step
  const first = last - (count - 1) * step
  const rows = await query<{ group_id: string; at: string; events: string }>(
    em,
    `SELECT group_id, extract(epoch FROM date_trunc('${unit}', hour, 'UTC'))::bigint AS at, sum(events)::bigint AS events
     FROM error_tallies
     WHERE project_id = $1 AND group_id = ANY ($2::bigint[]) AND hour >= to_timestamp($3) GROUP BY 1, 2`,
    [projectId, groupIds, first]
  )
  const found = new Map(rows.map(row => [`${row.group_id} ${row.at}`, Number(row.events)]))

  return new Map(
    groupIds.map(id => [
      id,
      Array.from({ length: count }, (_, n): [number, number] => [first + n * step, found.get(`${id} ${first + n * step}`) ?? 0])
    ])
  )
}
