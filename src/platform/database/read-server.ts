import type pg from 'pg'

export interface DatabaseServer {
  version: string
  /** The connections that it allows. */
  most: number
  now: Date
}

export async function readServer(pool: pg.Pool) {
  const { rows } = await pool.query<DatabaseServer>(
    `SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS most, clock_timestamp() AS now`
  )

  return rows[0]!
}
