import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Constructor } from '@mikro-orm/core'
import type { Migration } from '@mikro-orm/migrations'
import type pg from 'pg'
import type { Logger } from 'pino'
import { migratePostgresQueues, queueSchema, schemaMark } from '../queue/backends/postgres-schema.ts'
import { type DatabaseOptions, openOrm } from './database.ts'

interface MigrationOptions extends DatabaseOptions {
  redisUrl?: string | undefined
}

/** A newer release has migrated the database: this release does not know its tables. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'

  constructor(unknown: string[]) {
    super(
      `The database was migrated by a newer release of Tocsin (${unknown.join(', ')}). Start that release; ` +
        'to go back to this one, restore the backup that was made before the upgrade (docs/operations.md, "Upgrade").'
    )
  }
}

/** A development version made the database: its migrations were combined for 0.1.0. */
export class DevelopmentDatabase extends Error {
  override name = 'DevelopmentDatabase'

  constructor() {
    super(
      'The database was made by a development version before 0.1.0, and cannot be migrated. Start with an empty one: ' +
        'set another DATA_DIR or DATABASE_URL, or delete the former.'
    )
  }
}

const firstOfDevelopment = '20261120_ground_floor'
const folder = join(import.meta.dirname, '..', '..', 'migrations')

/**
 * Migrates the database to this release. Every process calls it first; one migrates while the others
 * wait for its advisory lock. Throws when a newer release has migrated it.
 */
export async function migrate(config: MigrationOptions, pool: pg.Pool, log: Logger) {
  const client = await pool.connect()

  try {
    if (await isCurrent(config, client)) return
    await client.query(`SELECT pg_advisory_lock(hashtext($1))`, [`${config.namespace} migrations`])
    try {
      if (await isCurrent(config, client)) return
      log.info('migrating the database')
      await client.query(`CREATE SCHEMA IF NOT EXISTS "${config.namespace}"`)
      await runMigrations(config)
      if (!config.redisUrl) await migratePostgresQueues(config, client)
      log.info('migrated the database')
    } finally {
      await client.query(`SELECT pg_advisory_unlock(hashtext($1))`, [`${config.namespace} migrations`])
    }
  } finally {
    client.release()
  }
}

async function isCurrent(config: MigrationOptions, client: pg.PoolClient) {
  const { rows: found } = await client.query(`SELECT to_regclass($1) AS migrations, obj_description(to_regclass($2), 'pg_class') AS mark`, [
    `"${config.namespace}".migrations`,
    `"${queueSchema(config)}".job`
  ])

  if (!found[0].migrations) return false
  const applied = await appliedMigrations(client, config.namespace)
  const available = availableMigrations()
  const unknown = applied.filter(name => !available.includes(name))

  if (applied.includes(firstOfDevelopment)) throw new DevelopmentDatabase()
  if (unknown.length > 0) throw new NewerDatabase(unknown)

  return available.every(name => applied.includes(name)) && (config.redisUrl !== undefined || found[0].mark === schemaMark)
}

/** The names of the migrations that the database has had. */
export async function appliedMigrations(client: pg.ClientBase, namespace: string) {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM "${namespace}".migrations ORDER BY id`)

  return rows.map(({ name }) => name.replace(/\.[jt]s$/, ''))
}

/** The names of this release's migrations. */
export function availableMigrations() {
  return readdirSync(folder)
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replace(/\.ts$/, ''))
    .sort()
}

/** Runs all pending migrations, or the named ones. */
export async function runMigrations(config: MigrationOptions, names?: string[]) {
  const { Migrator } = await import('@mikro-orm/migrations')
  const orm = openOrm(config, [])

  orm.config.set('migrations', {
    ...orm.config.get('migrations'),
    migrationsList: await Promise.all(availableMigrations().map(load)),
    // Without the schema, the migrator looks in `public` and creates a second table.
    tableName: `${config.namespace}.migrations`,
    snapshot: false,
    silent: true
  })
  try {
    await new Migrator(orm.em).up(names && { migrations: names })
  } finally {
    await orm.close()
  }
}

/** The bundler finds them by this path, too: Node runs no TypeScript in an installed package. */
async function load(name: string) {
  const [migration] = Object.values(await import(`../../migrations/${name}.ts`))

  return { name, class: migration as Constructor<Migration> }
}
