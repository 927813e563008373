import type { Pool } from 'pg'
import { hashSecret } from '#identity/secrets.ts'

interface NewJobToken {
  projectId: number
  userId: number
  secret: string
  expiresAt?: Date
}

const hourMs = 3600_000
const someone = { name: 'A', email: 'a@example.com', at: '2026-01-01T00:00:00Z' }

/** The token of a running job, in a pipeline of its own. Returns the id of the job. */
export async function aJobToken(pool: Pool, { projectId, userId, secret, expiresAt = new Date(Date.now() + hourMs) }: NewJobToken) {
  const insert = async (sql: string, ...values: unknown[]): Promise<number> =>
    (await pool.query(`INSERT INTO ${sql} RETURNING id`, values)).rows[0].id
  const pipelineId = await insert(
    `ci_pipelines (project_id, iid, ref, is_tag, sha, "commit", source, status)
     VALUES ($1, (SELECT 1000 + count(*) FROM ci_pipelines), 'running', false, repeat('0', 40), $2, 'api', 'running')`,
    projectId,
    JSON.stringify({ id: '0'.repeat(40), parentIds: [], author: someone, committer: someone, message: 'A commit', trailers: '' })
  )
  const jobId = await insert(
    `ci_jobs (id, project_id, pipeline_id, user_id, name, base, stage, stage_index, status, start_when, allow_failure, keywords, variables, timeout_seconds)
     OVERRIDING SYSTEM VALUE
     VALUES ((SELECT 1000000 + count(*) FROM ci_jobs), $1, $2, $3, 'a', 'a', 'test', 0, 'running', 'on_success', false, '{}', '{}', 3600)`,
    projectId,
    pipelineId,
    userId
  )

  await insert(
    'job_tokens (job_id, project_id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, $4, $5)',
    jobId,
    projectId,
    userId,
    hashSecret(secret),
    expiresAt
  )

  return jobId
}
