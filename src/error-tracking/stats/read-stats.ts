import { type EntityManager, query } from '../../platform/database/database.ts'

type Reasons = Record<string, number>

/** What became of the items of one kind that came on one day. */
export interface DayStats {
  day: string
  category: string
  received: number
  stored: number
  dropped: number
  /** By reason. */
  drops: Reasons
  /** What SDKs say they lost before they sent it, by reason; it was never received. */
  losses: Reasons
}

export interface Span {
  projectId: number
  /** Days in UTC; both belong to it. */
  since: string
  until: string
}

/** By day and category, newest first. Whatever was received was either stored or dropped: there is no third count that could differ. */
export async function readStats(em: EntityManager, { projectId, since, until }: Span) {
  const rows = await query<StatsRow>(em, statement, [projectId, since, until])
  const found = new Map<string, DayStats>()

  for (const { kind, day, category, reason, items } of rows) {
    const key = `${day} ${category}`
    const stats = found.get(key) ?? { day, category, received: 0, stored: 0, dropped: 0, drops: {}, losses: {} }

    found.set(key, stats)
    add(stats, kind, reason, Number(items))
  }

  return [...found.values()]
}

function add(stats: DayStats, kind: StatsRow['kind'], reason: string, items: number) {
  if (kind === 'lost') {
    stats.losses[reason] = items
    return
  }
  stats.received += items
  stats[kind] += items
  if (kind === 'dropped') stats.drops[reason] = items
}

interface StatsRow {
  kind: 'stored' | 'dropped' | 'lost'
  day: string
  category: string
  reason: string
  items: string
}

const statement = `
  SELECT 'stored' AS kind, day::text, category, '' AS reason, items FROM error_keeps
  WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date AND items <> 0
  UNION ALL
  SELECT 'dropped', day::text, category, reason, items FROM error_drops
  WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date AND items <> 0
  UNION ALL
  SELECT 'lost', day::text, category, reason, items FROM error_losses
  WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date
  ORDER BY 2 DESC, 3, 1, 4`
