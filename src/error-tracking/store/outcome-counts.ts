import { type EntityManager, query } from '../../platform/database/database.ts'

export interface Count {
  projectId: number
  day: string
  category: string
  reason: string
  items: number
}

/** Adds to one of the tables of counts by day, category and reason, rows in the order of their keys. */
export async function addCounts(em: EntityManager, table: 'error_drops' | 'error_losses', counts: Count[]) {
  const folded = fold(counts)

  if (folded.length === 0) return
  await query(
    em,
    `INSERT INTO ${table} (project_id, day, category, reason, items)
     SELECT * FROM unnest($1::bigint[], $2::date[], $3::text[], $4::text[], $5::bigint[]) ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, day, category, reason) DO UPDATE SET items = ${table}.items + EXCLUDED.items`,
    [column(folded, 'projectId'), column(folded, 'day'), column(folded, 'category'), column(folded, 'reason'), column(folded, 'items')]
  )
}

/** What was kept, by day and category. */
export async function addKeeps(em: EntityManager, counts: Omit<Count, 'reason'>[]) {
  const folded = fold(counts.map(count => ({ ...count, reason: '' })))

  if (folded.length === 0) return
  await query(
    em,
    `INSERT INTO error_keeps (project_id, day, category, items)
     SELECT * FROM unnest($1::bigint[], $2::date[], $3::text[], $4::bigint[]) ORDER BY 1, 2, 3
     ON CONFLICT (project_id, day, category) DO UPDATE SET items = error_keeps.items + EXCLUDED.items`,
    [column(folded, 'projectId'), column(folded, 'day'), column(folded, 'category'), column(folded, 'items')]
  )
}

/** One row a key, as one statement may touch a row only once. */
function fold(counts: Count[]) {
  const folded = new Map<string, Count>()

  for (const count of counts) {
    const key = `${count.projectId} ${count.day} ${count.category} ${count.reason}`
    const known = folded.get(key)

    folded.set(key, { ...count, items: count.items + (known?.items ?? 0) })
  }

  return [...folded.values()]
}

function column<Row, Name extends keyof Row>(rows: Row[], name: Name) {
  return rows.map(row => row[name])
}
