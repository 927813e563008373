import { nextRun, type Schedule } from './schedule.ts'

/** A check whose worker died is done again after this time, which is longer than any check takes. */
export const leaseMs = 60_000

/** Each monitor has its own place within the interval, so that checks are spread, also after all of them were late. */
export function nextCheck(monitorId: number, schedule: Schedule, after: Date) {
  const now = after.getTime()
  const interval = nextRun(schedule, 'UTC', after).getTime() - now
  // Multiplicative hashing (Knuth) spreads ids in a row.
  const place = Math.floor(((Math.imul(monitorId, 2_654_435_761) >>> 0) / 2 ** 32) * interval)

  return new Date((Math.floor((now - place) / interval) + 1) * interval + place)
}
