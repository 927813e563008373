import type { EntityManager, Tables } from '#platform/database/database.ts'
import { intervalsOf, type Period } from '../groups/frequency.ts'

/** The stored events of a project in each interval of a period, by the time at which they occurred. */
export async function projectFrequency(em: EntityManager, projectId: number, period: Period, now: Date) {
  const { starts, first, start } = intervalsOf(period, now)
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_hourly_counts')
    .select(e => [start.as('start'), e.cast<number>(e.fn.sum('events'), 'bigint').as('events')])
    .where('project_id', '=', projectId)
    .where('hour', '>=', first)
    .groupBy('start')
    .execute()
  const events = new Map(rows.map(row => [row.start, row.events]))

  return starts.map(at => ({ at: new Date(at * 1000), events: events.get(at) ?? 0 }))
}
