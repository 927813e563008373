import { type EntityManager, query } from '#platform/database/database.ts'

export const maxTraceBytes = 20 * 1024 * 1024
const partsPerRead = 16

/** Adds to the log of a running job that has `from` bytes so far. False when it has another size, or does not run. */
export async function appendTrace(em: EntityManager, jobId: number, from: number, data: Buffer, at: Date) {
  const added = await query(
    em,
    `WITH job AS (
       UPDATE ci_jobs SET trace_size = trace_size + $3, seen_at = $4 WHERE id = $1 AND trace_size = $2 AND status = 'running' RETURNING id
     )
     INSERT INTO ci_job_trace_parts (job_id, position, data) SELECT id, $2, $5 FROM job RETURNING 1`,
    [jobId, from, data.length, at, data]
  )

  return added.length > 0
}

/** The log of a job, part by part. */
export async function* readTrace(em: EntityManager, jobId: number, from = 0) {
  for (let position = from; ; ) {
    const parts = await query<{ position: number; data: Buffer }>(
      em,
      'SELECT position, data FROM ci_job_trace_parts WHERE job_id = $1 AND position >= $2 ORDER BY position LIMIT $3',
      [jobId, position, partsPerRead]
    )

    for (const { data } of parts) yield data
    if (parts.length < partsPerRead) return
    position = parts.at(-1)!.position + 1
  }
}

/** What follows the first `from` bytes. */
export async function readTraceEnd(em: EntityManager, jobId: number, from: number) {
  const parts = await query<{ position: number; data: Buffer }>(
    em,
    'SELECT position, data FROM ci_job_trace_parts WHERE job_id = $1 AND position + length(data) > $2 ORDER BY position',
    [jobId, from]
  )
  const data = Buffer.concat(parts.map(({ data }) => data))

  return data.subarray(Math.max(0, from - (parts[0]?.position ?? 0)))
}

export async function deleteTrace(em: EntityManager, jobId: number) {
  await query(em, 'DELETE FROM ci_job_trace_parts WHERE job_id = $1', [jobId])
  await query(em, 'UPDATE ci_jobs SET trace_size = 0 WHERE id = $1', [jobId])
}

/** Records that the runner of a job is there. False when the job does not run. */
export async function touch(em: EntityManager, jobId: number, at: Date) {
  const touched = await query(em, `UPDATE ci_jobs SET seen_at = $2 WHERE id = $1 AND status = 'running' RETURNING 1`, [jobId, at])

  return touched.length > 0
}
