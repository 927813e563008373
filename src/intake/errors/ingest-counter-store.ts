import type pg from 'pg'

export interface DroppedCount {
  projectId: number
  keyId: number
  day: string
  category: string
  reason: string
  items: number
}

interface UsageCount {
  subject: string
  minute: number
  events: number
}

export async function addDroppedCounts(pool: pg.Pool, counts: DroppedCount[]) {
  if (counts.length === 0) return
  await pool.query(
    `INSERT INTO error_dropped_counts (project_id, day, category, reason, key_id, items)
     SELECT * FROM unnest($1::bigint[], $2::date[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) ORDER BY 1, 2, 3, 4, 5
     ON CONFLICT (project_id, day, category, reason, key_id) DO UPDATE SET items = error_dropped_counts.items + EXCLUDED.items`,
    columns(counts, 'projectId', 'day', 'category', 'reason', 'keyId', 'items')
  )
}

/** Adds the events of this process; each result has the total of all processes. */
export async function addUsage(pool: pg.Pool, counts: UsageCount[]) {
  if (counts.length === 0) return []
  const { rows } = await pool.query(
    `INSERT INTO error_usage (subject, minute, events)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) ORDER BY 1, 2
     ON CONFLICT (subject, minute) DO UPDATE SET events = error_usage.events + EXCLUDED.events
     RETURNING subject, minute, events`,
    columns(counts, 'subject', 'minute', 'events')
  )
  const totals = new Map(rows.map(({ subject, minute, events }) => [`${subject} ${minute}`, events]))

  return counts.map(count => ({ ...count, total: totals.get(`${count.subject} ${count.minute}`)! }))
}

function columns<Row>(rows: Row[], ...names: (keyof Row)[]) {
  return names.map(name => rows.map(row => row[name]))
}
