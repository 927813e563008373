import { truncateStorable } from '#lib/storable-text.ts'
import { type EntityManager, query } from '#platform/database/database.ts'

export interface ReleaseCommit {
  sha: string
  repository: string
  authorName: string
  authorEmail: string
  message: string
  committedAt: Date | null
  /** Of the files that it changes. */
  paths: string[]
}

export const maxCommits = 1000
export const maxMessage = 2000
/** Further files of a commit say little of who broke a line. */
const maxPaths = 1000

export function readPaths(given: unknown[]) {
  return given
    .filter(path => typeof path === 'string' && path !== '')
    .slice(0, maxPaths)
    .map(path => truncateStorable(path as string, 1000))
}

/** Replaces the commits of a release in each project. */
export async function replaceCommits(em: EntityManager, projectIds: number[], version: string, commits: ReleaseCommit[]) {
  await query(em, 'DELETE FROM error_release_commits WHERE project_id = ANY ($1::bigint[]) AND version = $2', [projectIds, version])
  await query(
    em,
    `INSERT INTO error_release_commits (project_id, version, position, sha, repository, author_name, author_email, message, committed_at, paths)
     SELECT p.id, $2, c.number - 1, c.sha, c.repository, c.author_name, c.author_email, c.message, c.committed_at,
       ARRAY(SELECT jsonb_array_elements_text(c.paths::jsonb))
     FROM unnest($1::bigint[]) AS p (id),
       unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[]) WITH ORDINALITY
         AS c (sha, repository, author_name, author_email, message, committed_at, paths, number)
     ORDER BY 1, 3`,
    [
      projectIds,
      version,
      commits.map(({ sha }) => sha),
      commits.map(({ repository }) => repository),
      commits.map(({ authorName }) => authorName),
      commits.map(({ authorEmail }) => authorEmail),
      commits.map(({ message }) => message),
      commits.map(({ committedAt }) => committedAt?.toISOString() ?? null),
      commits.map(({ paths }) => JSON.stringify(paths))
    ]
  )
}

/** The latest commit of each version that has any, and how many it has. */
export async function latestCommits(em: EntityManager, projectIds: number[], versions: string[]) {
  const rows = await query<{ version: string; count: number; sha: string; message: string; committedAt: Date | null }>(
    em,
    `SELECT DISTINCT ON (version) version, max(position) OVER (PARTITION BY project_id, version) + 1 AS count, sha, message,
       committed_at AS "committedAt"
     FROM error_release_commits WHERE project_id = ANY ($1::bigint[]) AND version = ANY ($2::text[]) ORDER BY version, project_id, position`,
    [projectIds, versions]
  )

  return new Map(rows.map(row => [row.version, row]))
}

/** The last release before this one that has commits. */
export async function findPreviousWithCommits(em: EntityManager, projectIds: number[], version: string) {
  const [found] = await query<{ version: string }>(
    em,
    `WITH mine AS (SELECT * FROM error_releases WHERE project_id = ANY ($1::bigint[])), this AS (SELECT * FROM mine WHERE version = $2)
     SELECT version FROM mine r
     WHERE version <> $2 AND first_seen_at <= (SELECT min(first_seen_at) FROM this)
       AND project_id IN (SELECT project_id FROM this)
       AND EXISTS (SELECT FROM error_release_commits c WHERE c.project_id = r.project_id AND c.version = r.version)
     ORDER BY first_seen_at DESC, version DESC LIMIT 1`,
    [projectIds, version]
  )

  return found?.version
}

/** The latest first. */
export function listCommits(em: EntityManager, projectId: number, version: string, limit: number) {
  return query<ReleaseCommit>(
    em,
    `SELECT sha, repository, author_name AS "authorName", author_email AS "authorEmail", message, committed_at AS "committedAt", paths
     FROM error_release_commits WHERE project_id = $1 AND version = $2 ORDER BY position LIMIT $3`,
    [projectId, version, limit]
  )
}
