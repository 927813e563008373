import type { DatabaseOptions } from './database.ts'

/** For notifications, for jobs, and for what needs a session of its own for a moment. */
const single = 3

/** The most connections that one process opens: a pool for queries, one for entities, and one for queues in Postgres. */
export function connectionsOf({ databasePool, redisUrl }: Pick<DatabaseOptions, 'databasePool'> & { redisUrl?: string | undefined }) {
  return (redisUrl ? 2 : 3) * databasePool + single
}
