import { hostname } from 'node:os'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { type EntityManager, query } from '../database/database.ts'

const everyMs = 5000
/** After this long without a heartbeat a process counts as gone. */
const goneAfterSeconds = 20

/**
 * Tells the others, every few seconds, that this process lives and what it counted. A worker has no
 * port of its own: its metrics are read through any web process.
 */
export class Heartbeat {
  #pool: pg.Pool
  #registry: Registry
  #log: Logger
  #who: { name: string; role: string; queues: string[] }
  #timer?: NodeJS.Timeout
  #beating = Promise.resolve()
  #isStopped = false

  constructor(pool: pg.Pool, registry: Registry, log: Logger, who: { name: string; role: string; queues: string[] }) {
    this.#pool = pool
    this.#registry = registry
    this.#log = log
    this.#who = who
  }

  async start() {
    this.#beating = this.beat().catch(error => this.#log.warn({ err: error }, 'the heartbeat was not heard'))
    await this.#beating
    if (!this.#isStopped) this.#timer = setTimeout(() => this.start(), everyMs).unref()
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
    // One that is on its way would bring the process back for as long as the others believe it.
    await this.#beating
    await this.#pool.query('DELETE FROM processes WHERE name = $1', [this.#who.name]).catch(() => {})
  }

  async beat() {
    const { name, role, queues } = this.#who

    await this.#pool.query(
      `INSERT INTO processes (name, role, queues, host, pid, started_at, seen_at, metrics)
       VALUES ($1, $2, $3, $4, $5, now(), now(), $6)
       ON CONFLICT (name) DO UPDATE SET role = $2, queues = $3, host = $4, pid = $5, seen_at = now(), metrics = $6,
         started_at = CASE WHEN processes.pid = $5 THEN processes.started_at ELSE now() END`,
      [name, role, queues, hostname(), process.pid, await this.#registry.metrics()]
    )
  }
}

export interface LivingProcess {
  name: string
  role: string
  queues: string[]
  upSeconds: number
  silentSeconds: number
  isGone: boolean
}

/** Every process that was heard of within the last day, and how long ago. */
export async function listProcesses(pool: pg.Pool): Promise<LivingProcess[]> {
  const { rows } = await pool.query(
    `SELECT name, role, queues,
            extract(epoch FROM now() - started_at)::float AS "upSeconds", extract(epoch FROM now() - seen_at)::float AS "silentSeconds"
     FROM processes WHERE seen_at > now() - interval '1 day' ORDER BY role, name`
  )

  return rows.map(row => ({ ...row, isGone: row.silentSeconds > goneAfterSeconds }))
}

/** What ended without saying so, and has not been heard of since. */
export function removeGoneProcesses(em: EntityManager, at: Date) {
  return query(em, `DELETE FROM processes WHERE seen_at < $1::timestamptz - interval '1 day'`, [at])
}

/** The metrics of every process but this one, in Prometheus' text format. */
export async function othersMetrics(pool: pg.Pool, ownName: string) {
  const { rows } = await pool.query(
    `SELECT metrics FROM processes WHERE name <> $1 AND role = 'worker' AND seen_at > now() - make_interval(secs => $2) ORDER BY name`,
    [ownName, goneAfterSeconds]
  )

  return rows.map(row => row.metrics as string)
}

/** Each family once: Prometheus takes a second `# TYPE` line of the same name for an error. */
export function mergeMetrics(texts: string[]) {
  const families = new Map<string, { head: string[]; samples: string[] }>()

  for (const text of texts) {
    let family: { head: string[]; samples: string[] } | undefined

    for (const line of text.split('\n')) {
      const [, keyword, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []

      if (name && keyword === 'HELP') {
        family = families.get(name) ?? { head: [line], samples: [] }
        families.set(name, family)
      } else if (name && family && family.head.length < 2) family.head.push(line)
      else if (line && !name) family?.samples.push(line)
    }
  }

  return `${[...families.values()].flatMap(({ head, samples }) => [...head, ...samples]).join('\n')}\n`
}

export function processName(config: Config, role: string) {
  return config.processName ? `${config.processName}@${hostname()}` : `${role}-${process.pid}@${hostname()}`
}
