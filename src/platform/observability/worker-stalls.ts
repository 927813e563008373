import type pg from 'pg'
import { type EntityManager, query } from '../database/database.ts'

/** Counts jobs that were reclaimed from unresponsive workers. */
export function countStalls(em: EntityManager, queue: string, job: string, stalls: number) {
  return query(
    em,
    `INSERT INTO worker_stalls (queue, stalls, last_job, last_at) VALUES ($1, $3, $2, now())
     ON CONFLICT (queue) DO UPDATE SET stalls = worker_stalls.stalls + $3, last_job = $2, last_at = now()`,
    [queue, job, stalls]
  )
}

export interface WorkerStalls {
  queue: string
  stalls: number
  lastJob: string
  secondsAgo: number
}

export async function readStalls(pool: pg.Pool): Promise<WorkerStalls[]> {
  const { rows } = await pool.query<WorkerStalls>(
    `SELECT queue, stalls::float, last_job AS "lastJob", extract(epoch FROM now() - last_at)::float AS "secondsAgo"
     FROM worker_stalls ORDER BY queue`
  )

  return rows
}
