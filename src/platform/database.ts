import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'

export type { EntityManager }

type Entities = ConstructorParameters<typeof MikroORM>[0]['entities']

/** How every connection of a process is made: in the installation's schema, with an end to waiting. */
export function connectionOptions(config: Config, { max = config.databasePool, schema = config.namespace } = {}) {
  return {
    connectionString: config.databaseUrl,
    max,
    options: `-c search_path=${schema}`,
    application_name: config.processName ?? 'tocsin',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 10_000,
    keepAlive: true
  }
}

/** A plain pool, for what must not wait for an ORM: the door's look-ups, receipts, heartbeats. */
export function openPool(config: Config) {
  // Numbers stay numbers: ids and counts are bigint in the database and far below 2^53.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)

  const pool = new pg.Pool({ ...connectionOptions(config), types })

  // A connection that drops while idle is replaced by itself; without a listener it would end the process.
  pool.on('error', () => {})

  return pool
}

export function openOrm(config: Config, entities: Entities) {
  return new MikroORM({
    entities,
    dbName: config.namespace,
    driverOptions: connectionOptions(config),
    pool: { min: 0, max: config.databasePool },
    forceUtcTimezone: true,
    // The migrator needs none.
    discovery: { warnWhenNoEntities: false },
    debug: false
  })
}

/** Runs a statement written by hand, inside the entity manager's transaction; the parameters are bound. */
export async function query<Row = Record<string, unknown>>(em: EntityManager, sql: string, params: unknown[] = []) {
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(sql, params))

  return rows
}
