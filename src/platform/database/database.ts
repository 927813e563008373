import type { EventSubscriber } from '@mikro-orm/core'
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import pg from 'pg'

export type { EntityManager }

/** The tables, for `em.getKysely<Tables>()`. `src/entities.ts` adds those of entities, and extras and stores add their own. */
// biome-ignore lint/suspicious/noEmptyInterface: declarations are merged into it.
export interface Tables {}

export type Entities = ConstructorParameters<typeof MikroORM>[0]['entities']

export interface DatabaseOptions {
  databaseUrl: string
  databasePool: number
  /** Five seconds by default. */
  connectionTimeoutMs?: number
  /** The schema of this installation, and the prefix of its channels and queues. */
  namespace: string
  processName?: string | undefined
}

/** Connection options of every connection: the installation's schema, and timeouts. */
export function connectionOptions(config: DatabaseOptions, { max = config.databasePool, schema = config.namespace } = {}) {
  return {
    connectionString: config.databaseUrl,
    max,
    options: `-c search_path=${schema}`,
    application_name: config.processName ?? 'tocsin',
    connectionTimeoutMillis: config.connectionTimeoutMs ?? 5000,
    idleTimeoutMillis: 10_000,
    keepAlive: true
  }
}

/** A plain pool for intake look-ups, receipts and heartbeats, which need no ORM. */
export function openPool(config: DatabaseOptions) {
  const pool = new pg.Pool({ ...connectionOptions(config), types: columnTypes() })

  surviveLoss(pool)

  return pool
}

const { INT8, DATE } = pg.types.builtins
const [int4Array, int8Array] = [1007, 1016]

/** How rows are read: bigint as number (ids and counts stay far below 2^53), times as `Date`, days as text. */
function columnTypes() {
  const types = new pg.TypeOverrides()

  types.setTypeParser(INT8, Number)
  types.setTypeParser(int8Array, pg.types.getTypeParser(int4Array))
  types.setTypeParser(DATE, String)

  return types
}

/**
 * A connection that is cut reports an error, idle or in use. Without a listener it would end the process: the pool replaces
 * idle ones, and the query of one in use fails by itself.
 */
export function surviveLoss(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
}

export function openOrm(config: DatabaseOptions, entities: Entities, subscribers: EventSubscriber[] = []) {
  const options = connectionOptions(config)
  const orm = new MikroORM({
    entities,
    subscribers,
    // Without it, MikroORM would create a database.
    dbName: new pg.Client(options).database,
    ensureDatabase: false,
    driverOptions: { ...options, types: columnTypes(), onPoolCreated: releaseDeadClients },
    pool: { min: 0, max: config.databasePool },
    forceUtcTimezone: true,
    // The migrator needs none.
    discovery: { warnWhenNoEntities: false },
    debug: false
  })

  return orm
}

/**
 * A transaction whose connection dies never releases its client, because its rollback fails too (kysely-org/kysely#1990).
 * Without this, the pool would be exhausted after a database restart.
 */
function releaseDeadClients(pool: pg.Pool) {
  const acquired = new WeakSet<pg.PoolClient>()

  pool.on('acquire', client => acquired.add(client))
  pool.on('release', (_error, client) => acquired.delete(client))
  pool.on('connect', client =>
    client.once('end', () => {
      if (!acquired.has(client)) return
      client.release(true)
      // The pool throws when a client is released twice.
      client.release = () => {}
    })
  )
}

/** Runs hand-written SQL with bound parameters, inside the entity manager's transaction if there is one. */
export async function query<Row = Record<string, unknown>>(em: EntityManager, sql: string, params: unknown[] = []) {
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(sql, params))

  return rows
}

export type Run = <Row = Record<string, unknown>>(sql: string) => Promise<Row[]>

/** Runs statements that Postgres refuses inside a transaction, on a connection of their own that is closed afterwards. */
export async function onConnection<T>(em: EntityManager, use: (run: Run) => Promise<T>) {
  const pool = await em.getDriver().getConnection().getNativeClient()
  const client = await pool.connect()

  try {
    return await use(async sql => (await client.query(sql)).rows)
  } finally {
    client.release(true)
  }
}

const byteaOid = 17

/** Encodes a bytea[] parameter in Postgres' binary format, which has half the size of its text format. */
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
