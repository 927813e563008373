import type pg from 'pg'
import { type DatabaseOptions, type EntityManager, query } from '../database/database.ts'
import { channelName, type Listener } from '../database/listener.ts'

/** Postgres limits notifications to 8,000 bytes. */
const maxNotification = 7900

/**
 * Sends results of a job to the waiting request through NOTIFY. The worker sends inside the transaction that stores
 * them, so a receipt implies a commit. Delivery is not guaranteed.
 */
export class Receipts {
  #pool: pg.Pool
  #channel: string
  #expected = new Map<string, (results: unknown[] | undefined) => void>()

  constructor(pool: pg.Pool, listener: Listener, config: Pick<DatabaseOptions, 'namespace'>) {
    this.#pool = pool
    this.#channel = channelName(config, 'receipts')
    listener.on('receipts', payload => void this.#onReceipt(payload))
  }

  /** Resolves with the results of the job's items, or with undefined after the timeout. */
  expect(jobId: string, withinMs: number) {
    return new Promise<unknown[] | undefined>(resolve => {
      const settle = (results: unknown[] | undefined) => {
        clearTimeout(timer)
        this.#expected.delete(jobId)
        resolve(results)
      }
      const timer = setTimeout(() => settle(undefined), withinMs)

      this.#expected.set(jobId, settle)
    })
  }

  async send(em: EntityManager, jobId: string, results: unknown[]) {
    const payload = JSON.stringify({ job: jobId, results })

    if (Buffer.byteLength(payload) <= maxNotification) {
      await query(em, 'SELECT pg_notify($1, $2)', [this.#channel, payload])
    } else {
      const results = JSON.parse(payload).results
      await query(
        em,
        'INSERT INTO receipts (job_id, results) VALUES ($1, $2) ON CONFLICT (job_id) DO UPDATE SET results = EXCLUDED.results',
        [jobId, JSON.stringify(results)]
      )
      await query(em, 'SELECT pg_notify($1, $2)', [this.#channel, JSON.stringify({ job: jobId })])
    }
  }

  async #onReceipt(payload: string) {
    const { job, results } = JSON.parse(payload) as { job: string; results?: unknown[] }
    const settle = this.#expected.get(job)

    if (settle) settle(results ?? (await this.#fetch(job)))
  }

  async #fetch(job: string) {
    try {
      const { rows } = await this.#pool.query('DELETE FROM receipts WHERE job_id = $1 RETURNING results', [job])

      return rows[0]?.results as unknown[] | undefined
    } catch {
      return undefined
    }
  }
}

export function deleteStaleReceipts(em: EntityManager, at: Date) {
  return query(em, `DELETE FROM receipts WHERE created_at < $1::timestamptz - interval '10 minutes'`, [at])
}
