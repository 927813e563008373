import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'

const hourMs = 3_600_000
const hours = 24

interface Occurring {
  id: number
  events: number
  created_at: string
}

/** How often each alert occurred in each of the last 24 hours, oldest first. */
export async function hourlyOccurrences(em: EntityManager, alerts: Occurring[], now: Date) {
  const last = Math.floor(now.getTime() / hourMs)
  const counts = new Map(alerts.map(({ id }) => [id, Array.from({ length: hours }, () => 0)]))
  const add = (id: number, at: Date, events: number) => {
    const hour = Math.floor(at.getTime() / hourMs) - last + hours - 1

    if (hour >= 0 && hour < hours) counts.get(id)![hour]! += events
  }

  for (const { id, events, created_at: createdAt } of alerts) add(id, new Date(createdAt), events)
  for (const { alert_id: id, hour, events } of await findRepeats(em, [...counts.keys()])) {
    const { created_at: createdAt } = alerts.find(alert => alert.id === id)!

    add(id, hour, events)
    // Occurrences are counted at the first one, unless they are known to be later.
    add(id, new Date(createdAt), -events)
  }

  return counts
}

function findRepeats(em: EntityManager, ids: number[]) {
  return em
    .getKysely<Tables & { alert_hours: { alert_id: number; hour: Date; events: number } }>()
    .selectFrom('alert_hours')
    .select(['alert_id', 'hour', 'events'])
    .where('alert_id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .execute()
}
