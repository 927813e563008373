import type { Config } from '../../config.ts'
import { type EntityManager, query } from '../database/database.ts'
import { channelName } from '../database/listener.ts'

/** Tells every process to forget what it remembers under this name: one key of it, or all. */
export async function announce(em: EntityManager, config: Config, name: string, key = '') {
  await query(em, 'SELECT pg_notify($1, $2)', [channelName(config, 'changed'), `${name} ${key}`.trim()])
}
