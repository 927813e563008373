import { hostname } from 'node:os'
import type pg from 'pg'
import type { Logger } from 'pino'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'
import { type EntityManager, query } from '../database/database.ts'

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
  #timer?: NodeJS.Timeout
  #beating = Promise.resolve()
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
    await this.#pool.query('DELETE FROM processes WHERE name = $1', [this.#identity.name]).catch(() => {})
  }

  async beat() {
    const { name, role, queues } = this.#identity

    await this.#pool.query(
      `INSERT INTO processes (name, role, queues, host, pid, started_at, seen_at, metrics)
       VALUES ($1, $2, $3, $4, $5, now(), now(), $6)
       ON CONFLICT (name) DO UPDATE SET role = $2, queues = $3, host = $4, pid = $5, seen_at = now(), metrics = $6,
         started_at = CASE WHEN processes.pid = $5 THEN processes.started_at ELSE now() END`,
      [name, role, queues, hostname(), process.pid, JSON.stringify(await this.#registry.getMetricsAsJSON())]
    )
  }
}

export interface ProcessRow {
  name: string
  role: string
  queues: string[]
  upSeconds: number
  silentSeconds: number
  isGone: boolean
}

/** Every process with a heartbeat within the last day. */
export async function listProcesses(pool: pg.Pool): Promise<ProcessRow[]> {
  const { rows } = await pool.query(
    `SELECT name, role, queues,
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

/** The metrics of this process and of every live worker, in Prometheus' text format. */
export async function collectMetrics(pool: pg.Pool, registry: Registry, ownName: string) {
  const { rows } = await pool.query(
    `SELECT metrics FROM processes WHERE name <> $1 AND role = 'worker' AND seen_at > now() - make_interval(secs => $2) ORDER BY name`,
    [ownName, goneAfterSeconds]
  )
  const processes = [await registry.getMetricsAsJSON(), ...rows.map(row => JSON.parse(row.metrics) as MetricObject[])]

  // Samples are labelled by process, so a sum keeps them apart; other aggregators would drop some.
  return AggregatorRegistry.aggregate(processes.map(metrics => metrics.map(metric => ({ ...metric, aggregator: 'sum' })))).metrics()
}

export function processName(given: string | undefined, role: string) {
  return given ? `${given}@${hostname()}` : `${role}-${process.pid}@${hostname()}`
}
