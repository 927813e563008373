import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { intervalsOf } from '../groups/frequency.ts'

/** The events of a project in each of the last 24 hours. */
export async function hourlyEvents(em: EntityManager, projectId: number, now: Date) {
  const { starts, start } = intervalsOf('24h', now)
  const hours = starts.map(at => new Date(at * 1000).toISOString())
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_hourly_counts')
    .select(e => [start.as('start'), e.cast<number>(e.fn.sum('events'), 'bigint').as('events')])
    .where('project_id', '=', projectId)
    .where('hour', '=', sql<Date>`ANY (${hours}::timestamptz[])`)
    .groupBy('start')
    .execute()
  const events = new Map(rows.map(row => [row.start, row.events]))

  return starts.map(at => ({ at: new Date(at * 1000), events: events.get(at) ?? 0 }))
}
