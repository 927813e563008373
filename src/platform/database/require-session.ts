import type pg from 'pg'
import type { DatabaseOptions } from './database.ts'

/** A pooler shares server connections between clients. */
export class PooledDatabase extends Error {
  override name = 'PooledDatabase'

  constructor() {
    super(
      'DATABASE_URL leads to a connection pooler such as PgBouncer, which loses what Tocsin keeps in a session: search_path, LISTEN and ' +
        'advisory locks. Set DATABASE_URL to Postgres itself; DATABASE_POOL bounds the connections (docs/operations.md).'
    )
  }
}

/** Throws unless each connection is a session of its own. */
export async function requireSession(pool: pg.Pool, { namespace }: Pick<DatabaseOptions, 'namespace'>) {
  const first = await connect(pool)
  const second = await connect(pool).catch(error => {
    first.release()
    throw error
  })

  try {
    const { rows } = await first.query(
      `SELECT pg_backend_pid() AS pid, setting AS path, source FROM pg_settings WHERE name = 'search_path'`
    )
    // A pooler may drop our startup options and set a search path of its own, which would be wrong for the queues.
    const isOurs = rows[0].source === 'client' && rows[0].path.replaceAll('"', '') === namespace

    // The transaction keeps a pooler from serving the first client with the same server connection by chance.
    await second.query('BEGIN')
    const isShared = (await pidOf(second)) === rows[0].pid

    await second.query('ROLLBACK')
    if (isShared || !isOurs || (await pidOf(first)) !== rows[0].pid) throw new PooledDatabase()
  } finally {
    first.release()
    second.release()
  }
}

/** Poolers refuse the startup parameter that sets the search path, unless they are told to ignore it. */
async function connect(pool: pg.Pool) {
  try {
    return await pool.connect()
  } catch (error) {
    throw (error as Error).message.includes('startup parameter') ? new PooledDatabase() : error
  }
}

async function pidOf(client: pg.ClientBase) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')

  return rows[0].pid as number
}
