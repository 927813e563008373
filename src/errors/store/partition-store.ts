import { type EntityManager, onConnection, query, type Run } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'

const daysAhead = 7

/** Creates the partitions of the coming days. */
export async function createPartitions(em: EntityManager, today: Date) {
  for (let n = -1; n <= daysAhead; n++) await createPartition(em, dayAfter(today, n))
}

/** Creates a table and attaches it: creating a partition directly would block inserts. Does nothing if it exists. */
export async function createPartition(em: EntityManager, day: string) {
  const name = nameOf(day)

  await em.transactional(async em => {
    await lockTransaction(em, 'partitions')
    const [found] = await query<{ oid: string | null }>(em, 'SELECT to_regclass($1) AS oid', [name])

    if (found?.oid) return
    await query(em, `CREATE TABLE ${name} (LIKE error_events INCLUDING ALL)`)
    await query(em, `ALTER TABLE error_events ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAfter(new Date(day), 1)}')`)
  })
}

/**
 * Drops the partitions of expired days. Detaches them `CONCURRENTLY`, so that nothing is blocked, and gives up at the lock
 * timeout when a reader takes longer; the next run continues.
 */
export async function deleteExpiredPartitions(em: EntityManager, retentionDays: number, today: Date, lockTimeoutMs = 5000) {
  const oldest = nameOf(dayAfter(today, -retentionDays))

  await onConnection(em, async run => {
    const [lock] = await run<{ isLocked: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext(current_schema() || ' old partitions')) AS "isLocked"`
    )

    if (!lock?.isLocked) return
    await run(`SET lock_timeout = ${lockTimeoutMs}`)
    try {
      for (const partition of await listPartitions(run)) if (partition.name < oldest) await dropPartition(run, partition)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
  })
}

interface Partition {
  name: string
  /** `detaching` when a process ended during the detach. */
  state: 'attached' | 'detaching' | 'detached'
}

async function dropPartition(run: Run, { name, state }: Partition) {
  if (state === 'attached') await run(`ALTER TABLE error_events DETACH PARTITION ${name} CONCURRENTLY`)
  if (state === 'detaching') await run(`ALTER TABLE error_events DETACH PARTITION ${name} FINALIZE`)
  await run(`DROP TABLE ${name}`)
}

/** A detaching partition first, because Postgres detaches only one at a time; then the oldest. */
function listPartitions(run: Run) {
  return run<Partition>(
    `SELECT c.relname AS name,
            CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname ~ '^error_events_[0-9]{8}$'
     ORDER BY i.inhdetachpending DESC NULLS LAST, 1`
  )
}

function isLockTimeout(error: unknown) {
  return (error as { code?: string }).code === '55P03'
}

function nameOf(day: string) {
  return `error_events_${day.replaceAll('-', '')}`
}

function dayAfter(day: Date, days: number) {
  return new Date(day.getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
