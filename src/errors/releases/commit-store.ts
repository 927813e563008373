import { type EntityManager, query } from '#platform/database/database.ts'

export interface ReleaseCommit {
  sha: string
  repository: string
  authorName: string
  authorEmail: string
  message: string
  committedAt: Date | null
}

/** Replaces the commits of a release in each project. */
export async function replaceCommits(em: EntityManager, projectIds: number[], version: string, commits: ReleaseCommit[]) {
  await query(em, 'DELETE FROM error_release_commits WHERE project_id = ANY ($1::bigint[]) AND version = $2', [projectIds, version])
  await query(
    em,
    `INSERT INTO error_release_commits (project_id, version, position, sha, repository, author_name, author_email, message, committed_at)
     SELECT p.id, $2, c.number - 1, c.sha, c.repository, c.author_name, c.author_email, c.message, c.committed_at
     FROM unnest($1::bigint[]) AS p (id),
       unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[]) WITH ORDINALITY
         AS c (sha, repository, author_name, author_email, message, committed_at, number)
     ORDER BY 1, 3`,
    [
      projectIds,
      version,
      commits.map(({ sha }) => sha),
      commits.map(({ repository }) => repository),
      commits.map(({ authorName }) => authorName),
      commits.map(({ authorEmail }) => authorEmail),
      commits.map(({ message }) => message),
      commits.map(({ committedAt }) => committedAt?.toISOString() ?? null)
    ]
  )
}

/** The latest first. */
export function listCommits(em: EntityManager, projectId: number, version: string, limit: number) {
  return query<ReleaseCommit>(
    em,
    `SELECT sha, repository, author_name AS "authorName", author_email AS "authorEmail", message, committed_at AS "committedAt"
     FROM error_release_commits WHERE project_id = $1 AND version = $2 ORDER BY position LIMIT $3`,
    [projectId, version, limit]
  )
}
