import { type EntityManager, query } from '#platform/database/database.ts'
import type { Runner } from '../runners/runner.ts'

/** A job that waits for a runner. */
export interface Pending {
  id: number
  pipeline_id: number
}

/** The next job that a runner may run: of the project that runs fewest jobs, the oldest. */
export async function findPending(em: EntityManager, runner: Runner) {
  const [found] = await query<Pending>(
    em,
    `SELECT j.id, j.pipeline_id FROM ci_jobs j
       JOIN ci_pipelines l ON l.id = j.pipeline_id
       JOIN projects p ON p.id = j.project_id AND p.read_only_reason IS NULL
       JOIN namespaces n ON n.id = p.namespace_id
       -- A job acts for the user who started it.
       JOIN users u ON u.id = j.user_id AND u.state = 'active'
     WHERE j.status = 'pending' AND j.tags <@ $2::text[] AND ($3 OR j.tags <> '{}')
       AND (NOT $4 OR (NOT l.is_tag AND l.ref = p.default_branch))
       AND CASE $5 WHEN 'instance_type' THEN true
                   WHEN 'group_type' THEN n.lineage @> ARRAY[$6::bigint]
                   ELSE j.project_id IN (SELECT project_id FROM ci_runner_projects WHERE runner_id = $1) END
     ORDER BY (SELECT count(*) FROM ci_jobs r WHERE r.project_id = j.project_id AND r.status = 'running'), j.id
     LIMIT 1`,
    [runner.id, runner.tags, runner.runsUntagged, runner.accessLevel === 'ref_protected', runner.type, runner.groupId ?? null]
  )

  return found
}

/** The pipelines with running jobs that no runner was heard of since, or with jobs that no runner took since. */
export async function findLostPipelines(em: EntityManager, silentSince: Date, pendingSince: Date, limit: number) {
  const rows = await query<{ id: number }>(
    em,
    `SELECT DISTINCT pipeline_id AS id FROM ci_jobs
     WHERE (status = 'running' AND seen_at < $1) OR (status = 'pending' AND queued_at < $2) LIMIT $3`,
    [silentSince, pendingSince, limit]
  )

  return rows.map(({ id }) => id)
}

/** The token of a job is valid while the job runs. */
export function endTokens(em: EntityManager, pipelineId: number, at: Date) {
  return query(
    em,
    `UPDATE job_tokens t SET ended_at = $2 FROM ci_jobs j
     WHERE j.id = t.job_id AND j.pipeline_id = $1 AND j.status <> 'running' AND t.ended_at IS NULL`,
    [pipelineId, at]
  )
}

const dayMs = 86_400_000

/** Runners have learnt by then that their job ended. */
export function deleteEndedTokens(em: EntityManager, at: Date) {
  return query(em, 'DELETE FROM job_tokens WHERE ended_at < $1', [new Date(at.getTime() - dayMs)])
}
