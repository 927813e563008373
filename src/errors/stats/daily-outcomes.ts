import type { EntityManager } from '#platform/database/database.ts'
import { readStats } from './read-stats.ts'

export interface DailyOutcomes {
  days: { at: Date; stored: number; dropped: number; lost: number }[]
  totals: { stored: number; dropped: number; lost: number }
  /** Dropped and lost items by reason, the most frequent first. */
  drops: [reason: string, items: number][]
  losses: [reason: string, items: number][]
}

const dayMs = 86_400_000

/** The outcomes of a project's items on each of the last days, oldest first; with a category, of its items only. */
export async function dailyOutcomes(
  em: EntityManager,
  projectId: number,
  days: number,
  now: Date,
  category?: string
): Promise<DailyOutcomes> {
  const dates = Array.from({ length: days }, (_, n) => dateOf(new Date(now.getTime() - (days - 1 - n) * dayMs)))
  const stats = (await readStats(em, { projectId, since: dates[0]!, until: dates.at(-1)! })).filter(
    day => !category || day.category === category
  )
  const drops = new Map<string, number>()
  const losses = new Map<string, number>()
  const byDay = new Map(dates.map(date => [date, { at: new Date(date), stored: 0, dropped: 0, lost: 0 }]))
  const totals = { stored: 0, dropped: 0, lost: 0 }

  for (const { day, stored, dropped, drops: dropsOfDay, losses: lossesOfDay } of stats) {
    const lost = sum(Object.values(lossesOfDay))

    for (const counts of [byDay.get(day), totals]) {
      if (!counts) continue
      counts.stored += stored
      counts.dropped += dropped
      counts.lost += lost
    }
    addTo(drops, dropsOfDay)
    addTo(losses, lossesOfDay)
  }

  return { days: [...byDay.values()], totals, drops: sortByCount(drops), losses: sortByCount(losses) }
}

function dateOf(time: Date) {
  return time.toISOString().slice(0, 10)
}

function sum(items: number[]) {
  return items.reduce((a, b) => a + b, 0)
}

function addTo(counts: Map<string, number>, added: Record<string, number>) {
  for (const [reason, items] of Object.entries(added)) counts.set(reason, (counts.get(reason) ?? 0) + items)
}

function sortByCount(counts: Map<string, number>) {
  return [...counts].sort(([, a], [, b]) => b - a)
}
