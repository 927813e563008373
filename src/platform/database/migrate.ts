import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { mark, migratePostgresQueues, queueSchema } from '../queue/postgres-queues.ts'
import { openOrm } from './database.ts'

const folder = join(import.meta.dirname, '..', '..', 'migrations')

/**
 * Brings the database up to this release. Every process calls it first; one does the work while
 * the others wait for its lock, and a database that is up to date costs two short queries.
 */
export async function migrate(config: Config, pool: pg.Pool, log: Logger) {
  const client = await pool.connect()

  try {
    if (await isCurrent(config, client)) return
    await client.query(`SELECT pg_advisory_lock(hashtext($1))`, [`${config.namespace} migrations`])
    try {
      if (await isCurrent(config, client)) return
      log.info('migrating the database …')
      await client.query(`CREATE SCHEMA IF NOT EXISTS "${config.namespace}"`)
      await runMigrations(config)
      if (!config.redisUrl) await migratePostgresQueues(config, client)
      log.info('the database is up to date')
    } finally {
      await client.query(`SELECT pg_advisory_unlock(hashtext($1))`, [`${config.namespace} migrations`])
    }
  } finally {
    client.release()
  }
}

async function isCurrent(config: Config, client: pg.PoolClient) {
  const wanted = readdirSync(folder)
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replace(/\.ts$/, ''))
  const { rows: found } = await client.query(`SELECT to_regclass($1) AS migrations, obj_description(to_regclass($2), 'pg_class') AS mark`, [
    `"${config.namespace}".migrations`,
    `"${queueSchema(config)}".job`
  ])

  if (!found[0].migrations || (!config.redisUrl && found[0].mark !== mark)) return false
  const { rows } = await client.query(`SELECT name FROM "${config.namespace}".migrations`)
  const done = new Set(rows.map(({ name }) => String(name).replace(/\.[jt]s$/, '')))

  return wanted.every(name => done.has(name))
}

async function runMigrations(config: Config) {
  const { Migrator } = await import('@mikro-orm/migrations')
  const orm = openOrm(config, [])

  orm.config.set('migrations', {
    ...orm.config.get('migrations'),
    path: folder,
    // Without its schema it is looked for in `public`, not found, and made a second time.
    tableName: `${config.namespace}.migrations`,
    snapshot: false,
    silent: true
  })
  try {
    await new Migrator(orm.em).up()
  } finally {
    await orm.close()
  }
}
