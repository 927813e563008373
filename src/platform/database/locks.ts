import { sql } from 'kysely'
import type pg from 'pg'
import type { EntityManager } from './database.ts'

/** Serialises transactions of this installation that name the same lock, until they end. */
export async function lockTransaction(em: EntityManager, name: string) {
  await sql`SELECT pg_advisory_xact_lock(hashtext(current_schema() || ${` ${name}`}))`.execute(em.getKysely())
}

/** Locks a row until the transaction ends. Inserts that reference it are not blocked, as they would be by a `LockMode`. */
export async function lockRow(em: EntityManager, table: string, id: number) {
  const db = em.getKysely<Record<string, { id: number }>>()

  await db.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Prevents the deletion of a row until the transaction ends, as an insert that references it does. False when it was deleted. */
export async function lockKey(em: EntityManager, table: string, id: number) {
  const db = em.getKysely<Record<string, { id: number }>>()
  const rows = await db.selectFrom(table).select('id').where('id', '=', id).forKeyShare().execute()

  return rows.length > 0
}

/** Runs while no other process holds the lock. Holds a connection. */
export async function withLock<T>(pool: pg.Pool, name: string, run: () => Promise<T>) {
  const client = await pool.connect()

  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name])

    return await run()
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [name]).catch(() => {})
    client.release()
  }
}
