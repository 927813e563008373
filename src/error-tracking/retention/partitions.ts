import { type EntityManager, onConnection, query, type Run } from '../../platform/database/database.ts'

const ahead = 7

/** Makes the partitions of the days to come. */
export async function makePartitions(em: EntityManager, today: Date) {
  for (let n = -1; n <= ahead; n++) await keepPartition(em, dayAfter(today, n))
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

/**
 * Drops the days whose events are too old to keep: whole, without a look at any row. Nobody waits for it: it is detached
 * `CONCURRENTLY`, and who reads for longer than our patience is left alone. What was begun is finished the next time.
 */
export async function dropOldPartitions(em: EntityManager, retentionDays: number, today: Date, patienceMs = 5000) {
  const oldest = nameOf(dayAfter(today, -retentionDays))

  await onConnection(em, async run => {
    const [lock] = await run<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext(current_schema() || ' old partitions')) AS "isOurs"`
    )

    if (!lock?.isOurs) return
    await run(`SET lock_timeout = ${patienceMs}`)
    try {
      for (const partition of await listPartitions(run)) if (partition.name < oldest) await dropPartition(run, partition)
    } catch (error) {
      if (!isTooBusy(error)) throw error
    }
  })
}

interface Partition {
  name: string
  /** On its way out, and perhaps left there by a process that ended meanwhile. */
  state: 'attached' | 'detaching' | 'detached'
}

async function dropPartition(run: Run, { name, state }: Partition) {
  if (state === 'attached') await run(`ALTER TABLE error_events DETACH PARTITION ${name} CONCURRENTLY`)
  if (state === 'detaching') await run(`ALTER TABLE error_events DETACH PARTITION ${name} FINALIZE`)
  await run(`DROP TABLE ${name}`)
}

/** Oldest first, but what is on its way out before all others: there can be only one at a time. */
function listPartitions(run: Run) {
  return run<Partition>(
    `SELECT c.relname AS name,
            CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname ~ '^error_events_[0-9]{8}$'
     ORDER BY i.inhdetachpending DESC NULLS LAST, 1`
  )
}

function isTooBusy(error: unknown) {
  return (error as { code?: string }).code === '55P03'
}

function nameOf(day: string) {
  return `error_events_${day.replaceAll('-', '')}`
}

function dayAfter(day: Date, days: number) {
  return new Date(day.getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
