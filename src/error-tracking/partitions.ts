import { type EntityManager, query } from '../platform/database.ts'

const ahead = 7

/** Makes the partitions of the days to come, and drops those whose events are too old to keep. */
export async function movePartitions(em: EntityManager, retentionDays: number, today: Date) {
  for (let n = -1; n <= ahead; n++) await keepPartition(em, dayAfter(today, n))

  const oldest = nameOf(dayAfter(today, -retentionDays))

  for (const { name } of await listPartitions(em)) if (name < oldest) await dropPartition(em, name)
}

/** Attached ready-made, because creating it in place would stop every insert meanwhile. */
export async function keepPartition(em: EntityManager, day: string) {
  const name = nameOf(day)

  await em.transactional(async em => {
    await query(em, `SELECT pg_advisory_xact_lock(hashtext(current_schema() || ' partitions'))`)
    const [found] = await query<{ oid: string | null }>(em, 'SELECT to_regclass($1) AS oid', [name])

    if (found?.oid) return
    await query(em, `CREATE TABLE ${name} (LIKE error_events INCLUDING ALL)`)
    await query(em, `ALTER TABLE error_events ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAfter(new Date(day), 1)}')`)
  })
}

/** Partitions are dropped whole: no row is looked at, and intake goes on meanwhile. */
async function dropPartition(em: EntityManager, name: string) {
  await query(em, `ALTER TABLE error_events DETACH PARTITION ${name} CONCURRENTLY`)
  await query(em, `DROP TABLE ${name}`)
}

async function listPartitions(em: EntityManager) {
  return query<{ name: string }>(
    em,
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'error_events'::regclass ORDER BY 1`
  )
}

function nameOf(day: string) {
  return `error_events_${day.replaceAll('-', '')}`
}

function dayAfter(day: Date, days: number) {
  return new Date(day.getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
