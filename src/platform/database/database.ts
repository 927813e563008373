import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Config } from '../../config.ts'

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
  const options = connectionOptions(config)
  const orm = new MikroORM({
    entities,
    // A database of any other name would be made where there is none.
    dbName: new pg.Client(options).database,
    ensureDatabase: false,
    driverOptions: { ...options, onPoolCreated: (pool: pg.Pool) => adopt(orm.em.getDriver(), pool) },
    pool: { min: 0, max: config.databasePool },
    forceUtcTimezone: true,
    // The migrator needs none.
    discovery: { warnWhenNoEntities: false },
    debug: false
  })

  return orm
}

/** The pool behind an ORM, for statements that need none of it. */
const pools = new WeakMap<object, pg.Pool>()

function adopt(driver: object, pool: pg.Pool) {
  pools.set(driver, pool)
  giveBackTheDead(pool)
}

/**
 * A transaction whose connection dies never gives it back, for its rollback fails too (kysely-org/kysely#1990):
 * after as many as the pool holds, nothing would get a connection until the process is started again.
 */
function giveBackTheDead(pool: pg.Pool) {
  // Not a set: what is put in and taken out for every statement makes one anew time and again.
  const isLent = new WeakMap<pg.PoolClient, boolean>()

  pool.on('acquire', client => isLent.set(client, true))
  pool.on('release', (_error, client) => isLent.set(client, false))
  pool.on('connect', client =>
    client.once('end', () => {
      if (!isLent.get(client)) return
      client.release(true)
      // Where it is given back as well, that is the second time, which the pool takes for a mistake.
      client.release = () => {}
    })
  )
}

/**
 * Runs a statement written by hand, inside the entity manager's transaction; the parameters are bound. Outside of one it
 * goes right to the pool: what takes a connection first leaves its results to V8's slow collector.
 */
export async function query<Row = Record<string, unknown>>(em: EntityManager, sql: string, params: unknown[] = []) {
  const pool = poolFor(em)

  if (pool) return (await pool.query(sql, params)).rows as Row[]
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(sql, params))

  return rows
}

/** Texts of statements, and what they are known by on each connection. */
const names = new Map<string, string>()
/** Each connection keeps their plans. */
const mostPrepared = 200

/** The same for a statement that runs time and again in the same words: each connection reads and plans it only once. */
export async function queryPrepared<Row = Record<string, unknown>>(em: EntityManager, text: string, values: unknown[]) {
  const pool = poolFor(em)
  const name = pool && nameOf(text)

  if (!name) return query<Row>(em, text, values)

  return (await pool.query({ name, text, values })).rows as Row[]
}

/** None for those that come when there are enough. */
function nameOf(text: string) {
  if (!names.has(text) && names.size < mostPrepared) names.set(text, `prepared_${names.size}`)

  return names.get(text)
}

/** None inside a transaction: what runs there runs on its connection. */
function poolFor(em: EntityManager) {
  return em.isInTransaction() ? undefined : pools.get(em.getDriver())
}

export type Run = <Row = Record<string, unknown>>(sql: string) => Promise<Row[]>

/** Statements on one connection and in no transaction, for what Postgres wants so. It is theirs: its settings and locks end with it. */
export async function onConnection<T>(em: EntityManager, use: (run: Run) => Promise<T>) {
  const client = await pools.get(em.getDriver())!.connect()

  try {
    return await use(async sql => (await client.query(sql)).rows)
  } finally {
    client.release(true)
  }
}

const byteaOid = 17

/** Byte strings as one parameter of type bytea[], in Postgres' binary format: half the bytes of its text format. */
export function byteaArray(values: Buffer[]) {
  const head = Buffer.alloc(20)

  head.writeInt32BE(1, 0)
  head.writeInt32BE(0, 4)
  head.writeInt32BE(byteaOid, 8)
  head.writeInt32BE(values.length, 12)
  head.writeInt32BE(1, 16)

  return Buffer.concat([head, ...values.flatMap(value => [int32(value.length), value])])
}

function int32(value: number) {
  const bytes = Buffer.allocUnsafe(4)

  bytes.writeInt32BE(value)

  return bytes
}
