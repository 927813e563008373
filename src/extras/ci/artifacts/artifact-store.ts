import { type EntityManager, query } from '#platform/database/database.ts'

/** Bytes of all artifacts of a project. */
export async function sizeOfArtifacts(em: EntityManager, projectId: number) {
  const [row] = await query<{ bytes: number }>(
    em,
    'SELECT coalesce(sum(size), 0)::bigint AS bytes FROM ci_job_artifacts WHERE project_id = $1',
    [projectId]
  )

  return row!.bytes
}

/** The latest successful job of this name on a branch or tag that left an archive. */
export async function findJobWithArchive(em: EntityManager, projectId: number, ref: string, name: string) {
  const [row] = await query<{ id: number }>(
    em,
    `SELECT j.id FROM ci_jobs j JOIN ci_pipelines p ON p.id = j.pipeline_id
     WHERE j.project_id = $1 AND p.ref = $2 AND j.name = $3 AND j.status = 'success'
       AND EXISTS (SELECT FROM ci_job_artifacts a WHERE a.job_id = j.id AND a.type = 'archive')
     ORDER BY j.id DESC LIMIT 1`,
    [projectId, ref, name]
  )

  return row?.id
}

/** Their files are deleted as orphans. */
export function deleteExpiredArtifacts(em: EntityManager, at: Date) {
  return query(em, 'DELETE FROM ci_job_artifacts WHERE expires_at < $1', [at])
}
