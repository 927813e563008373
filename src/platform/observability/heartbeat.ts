import { hostname } from 'node:os'
import type pg from 'pg'
import type { Logger } from 'pino'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'
import { type EntityManager, query } from '../database/database.ts'
import { type Load, ProcessLoad } from './process-load.ts'
import { release } from './release.ts'
import { type Measured, MetricTotals } from './totals.ts'

const everyMs = 5000
/** After this long without a heartbeat a process counts as gone. */
const goneAfterSeconds = 20

/**
 * Records every few seconds in the database that this process is alive, with its metrics. Workers have no port, so every
 * web process serves their metrics.
 */
export class Heartbeat {
  #pool: pg.Pool
  #registry: Registry
  #log: Logger
  #identity: { name: string; role: string; queues: string[] }
  #totals = new MetricTotals()
  #load = new ProcessLoad()
  #timer?: NodeJS.Timeout
  #beating = Promise.resolve()
  #hasSlot = false
  #isStopped = false

  constructor(pool: pg.Pool, registry: Registry, log: Logger, identity: { name: string; role: string; queues: string[] }) {
    this.#pool = pool
    this.#registry = registry
    this.#log = log
    this.#identity = identity
  }

  async start() {
    this.#beating = this.beat().catch(error => this.#log.warn({ err: error }, 'failed to write the heartbeat'))
    await this.#beating
    if (!this.#isStopped) this.#timer = setTimeout(() => this.start(), everyMs).unref()
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
    // A heartbeat still in flight would insert the row again.
    await this.#beating
    await this.#flush(await this.#registry.getMetricsAsJSON()).catch(() => {})
    await this.#pool.query('DELETE FROM processes WHERE name = $1', [this.#identity.name]).catch(() => {})
  }

  async beat() {
    // Metrics are labelled with the slot.
    if (!this.#hasSlot) await this.#write([])
    this.#hasSlot = true
    const metrics = await this.#registry.getMetricsAsJSON()

    await this.#write(metrics)
    await this.#flush(metrics)
  }

  async #write(metrics: Measured[]) {
    const { name, role, queues } = this.#identity
    const load = metrics.length > 0 ? this.#load.measure(metrics) : {}
    const row = [name, role, queues, hostname(), process.pid, JSON.stringify(metrics), release, JSON.stringify(load)]
    const slot = await writeProcess(this.#pool, row)

    this.#registry.setDefaultLabels({ process: `${role}-${slot}` })
  }

  #flush(metrics: Measured[]) {
    return this.#totals.flush(this.#pool, metrics, this.#identity.role)
  }
}

const maxTries = 5
const uniqueViolation = '23505'

/**
 * Writes the row of a process, and returns its slot: the lowest number that no other process of its role has. Metrics are labelled with
 * it, because the names of processes are new with each start.
 */
async function writeProcess(pool: pg.Pool, row: unknown[]) {
  for (let tries = 1; ; tries++) {
    try {
      return await upsertProcess(pool, row)
    } catch (error) {
      // Another process that starts took the same slot.
      if ((error as { code?: string }).code !== uniqueViolation || tries === maxTries) throw error
    }
  }
}

async function upsertProcess(pool: pg.Pool, row: unknown[]) {
  await pool.query(
    'UPDATE processes SET slot = NULL WHERE slot IS NOT NULL AND name <> $1 AND seen_at < now() - make_interval(secs => $2)',
    [row[0], goneAfterSeconds]
  )
  const { rows } = await pool.query<{ slot: number }>(
    `INSERT INTO processes (name, role, queues, host, pid, started_at, seen_at, metrics, version, load, slot)
     VALUES ($1, $2, $3, $4, $5, now(), now(), $6, $7, $8,
       (SELECT min(n) FROM generate_series(1, (SELECT count(*)::int + 1 FROM processes)) n
        WHERE NOT EXISTS (SELECT FROM processes WHERE role = $2 AND slot = n)))
     ON CONFLICT (name) DO UPDATE SET role = $2, queues = $3, host = $4, pid = $5, seen_at = now(), metrics = $6, version = $7, load = $8,
       slot = CASE WHEN processes.role = $2 THEN coalesce(processes.slot, EXCLUDED.slot) ELSE EXCLUDED.slot END,
       started_at = CASE WHEN processes.pid = $5 THEN processes.started_at ELSE now() END
     RETURNING slot`,
    row
  )

  return rows[0]!.slot
}

export interface ProcessRow {
  name: string
  role: string
  queues: string[]
  upSeconds: number
  silentSeconds: number
  isGone: boolean
  /** In the label of its metrics: `worker-1`. */
  slot: number | null
  /** The release that it runs. */
  version: string
  load: Partial<Load>
}

/** Every process with a heartbeat within the last day. */
export async function listProcesses(pool: pg.Pool): Promise<ProcessRow[]> {
  const { rows } = await pool.query(
    `SELECT name, role, queues, slot, version, load,
            extract(epoch FROM now() - started_at)::float AS "upSeconds", extract(epoch FROM now() - seen_at)::float AS "silentSeconds"
     FROM processes WHERE seen_at > now() - interval '1 day' ORDER BY role, name`
  )

  return rows.map(row => ({ ...row, isGone: row.silentSeconds > goneAfterSeconds }))
}

/** The queues of each worker that is alive. */
export async function listWorkers(pool: pg.Pool) {
  const { rows } = await pool.query<{ queues: string[] }>(
    `SELECT queues FROM processes WHERE role = 'worker' AND seen_at > now() - make_interval(secs => $1)`,
    [goneAfterSeconds]
  )

  return rows.map(({ queues }) => queues)
}

/** Deletes processes that were killed and have had no heartbeat for a day. */
export function deleteGoneProcesses(em: EntityManager, at: Date) {
  return query(em, `DELETE FROM processes WHERE seen_at < $1::timestamptz - interval '1 day'`, [at])
}

/**
 * The metrics of this process, in Prometheus' text format. Those of the workers are added by one web process only, the oldest one, so that
 * Prometheus, which asks each of them, gets every series once.
 */
export async function collectMetrics(pool: pg.Pool, registry: Registry, ownName: string) {
  const { rows } = await pool.query(
    `WITH live AS (SELECT * FROM processes WHERE seen_at > now() - make_interval(secs => $2))
     SELECT metrics FROM live WHERE role = 'worker' AND name <> $1
       AND $1 = (SELECT name FROM (SELECT name, started_at FROM live WHERE role = 'web' UNION ALL
                   SELECT $1, now() WHERE NOT EXISTS (SELECT FROM live WHERE name = $1)) web ORDER BY started_at, name LIMIT 1)
     ORDER BY name`,
    [ownName, goneAfterSeconds]
  )
  const processes = [await registry.getMetricsAsJSON(), ...rows.map(row => JSON.parse(row.metrics) as MetricObject[])]

  // Samples are labelled by process, so a sum keeps them apart; other aggregators would drop some.
  return AggregatorRegistry.aggregate(processes.map(metrics => metrics.map(metric => ({ ...metric, aggregator: 'sum' })))).metrics()
}

export function processName(given: string | undefined, role: string) {
  return given ? `${given}@${hostname()}` : `${role}-${process.pid}@${hostname()}`
}
