import type { EntityManager } from '#platform/database/database.ts'
import type { Alert } from '../alert.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const maxHours = 48
const minHours = 12
const maxDays = 30

export interface Occurrences {
  interval: 'hour' | 'day'
  /** Oldest first. */
  counts: { at: Date; events: number }[]
}

/** How often an alert occurred in each hour, or in each day of the last month when it lasted longer than two days. */
export async function countOccurrences(em: EntityManager, alert: Alert, now: Date): Promise<Occurrences> {
  const repeats = await findRepeats(em, alert)
  const repeated = repeats.reduce((sum, { events }) => sum + events, 0)
  const first = { at: alert.createdAt.getTime(), events: alert.events - repeated }
  const end = alert.endedAt ? Math.max(alert.endedAt.getTime(), first.at, repeats.at(-1)?.at ?? 0) : now.getTime()
  const isLong = end - first.at > maxHours * hourMs
  const width = isLong ? dayMs : hourMs
  const last = Math.floor(end / width)
  const length = isLong ? maxDays : Math.max(minHours, last - Math.floor(first.at / width) + 1)
  const counts = Array.from({ length }, (_, n) => ({ at: new Date((last - length + 1 + n) * width), events: 0 }))

  for (const { at, events } of [first, ...repeats]) {
    const interval = counts[Math.floor(at / width) - last + length - 1]

    if (interval) interval.events += events
  }

  return { interval: isLong ? 'day' : 'hour', counts }
}

async function findRepeats(em: EntityManager, { id }: Alert) {
  const db = em.getKysely<{ alert_hours: { alert_id: number; hour: Date; events: number } }>()
  const rows = await db.selectFrom('alert_hours').select(['hour', 'events']).where('alert_id', '=', id).orderBy('hour').execute()

  return rows.map(({ hour, events }) => ({ at: hour.getTime(), events }))
}
