import type { DayStats } from './read-stats.ts'

/** Items of one name on one day. */
export interface NamedCount {
  day: string
  name: string
  items: number
}

export interface NamedSeries {
  name: string
  values: number[]
}

/** The items of each name on each day, the most frequent names first. Those beyond `max` names are added up. */
export function seriesByName(days: string[], counts: NamedCount[], max: number): NamedSeries[] {
  const totals = totalsByName(counts)
  const names = totals.length > max ? totals.slice(0, max - 1).map(([name]) => name) : totals.map(([name]) => name)
  const series = new Map(names.map(name => [name, { name, values: days.map(() => 0) }]))
  const remainder = { name: 'others', values: days.map(() => 0) }
  const positions = new Map(days.map((day, n) => [day, n]))

  for (const { day, name, items } of counts) {
    const { values } = series.get(name) ?? remainder
    const position = positions.get(day)

    if (position !== undefined) values[position] = values[position]! + items
  }

  return totals.length > max ? [...series.values(), remainder] : [...series.values()]
}

/** The most frequent first. */
export function totalsByName(counts: NamedCount[]): [name: string, items: number][] {
  const totals = new Map<string, number>()

  for (const { name, items } of counts) totals.set(name, (totals.get(name) ?? 0) + items)

  return [...totals].sort(([, a], [, b]) => b - a)
}

/** Stored and dropped items, also when there are none. */
export function seriesByOutcome(days: string[], stats: DayStats[]): NamedSeries[] {
  return (['stored', 'dropped'] as const).map(name => {
    const counts = stats.map(day => ({ day: day.day, name, items: day[name] }))

    return seriesByName(days, counts, 1)[0] ?? { name, values: days.map(() => 0) }
  })
}

export function countsByCategory(stats: DayStats[]): NamedCount[] {
  return stats.map(({ day, category, received }) => ({ day, name: category, items: received })).filter(({ items }) => items !== 0)
}

/** Items that were dropped, or that SDKs discarded before sending, by reason. */
export function countsByReason(stats: DayStats[], kind: 'drops' | 'losses'): NamedCount[] {
  return stats.flatMap(({ day, [kind]: reasons }) => Object.entries(reasons).map(([name, items]) => ({ day, name, items })))
}
