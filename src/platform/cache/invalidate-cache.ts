import { type DatabaseOptions, type EntityManager, query } from '../database/database.ts'
import { channelName } from '../database/listener.ts'

/** Invalidates one key, or all keys, of a cache in every process. */
export async function invalidateCache(em: EntityManager, config: Pick<DatabaseOptions, 'namespace'>, name: string, key = '') {
  await query(em, 'SELECT pg_notify($1, $2)', [channelName(config, 'changed'), `${name} ${key}`.trim()])
}
