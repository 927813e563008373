import { type EntityManager, query } from '#platform/database/database.ts'
import type { ReleaseCommit } from '../releases/commit-store.ts'

export interface SuspectCommit extends Omit<ReleaseCommit, 'paths'> {
  version: string
  /** The file of the stack trace that it changes. */
  path: string
}

/** Of each release. */
const maxSearched = 200

/**
 * The latest commit of these releases that changes one of these files, both the likeliest first. A path may begin further up or down
 * than in the commit, but a name alone is found only at the top.
 */
export async function findSuspectCommit(em: EntityManager, projectId: number, versions: string[], paths: string[]) {
  if (versions.length === 0 || paths.length === 0) return undefined
  const [found] = await query<SuspectCommit>(
    em,
    `SELECT c.version, c.sha, c.repository, c.author_name AS "authorName", c.author_email AS "authorEmail", c.message,
       c.committed_at AS "committedAt", changed.path
     FROM error_release_commits c, unnest(c.paths) AS changed (path)
     JOIN unnest($3::text[]) WITH ORDINALITY AS wanted (path, place) ON changed.path = wanted.path
       OR wanted.path LIKE '%/%' AND right(changed.path, length(wanted.path) + 1) = '/' || wanted.path
       OR changed.path LIKE '%/%' AND right(wanted.path, length(changed.path) + 1) = '/' || changed.path
     WHERE c.project_id = $1 AND c.version = ANY ($2::text[]) AND c.position < ${maxSearched}
     ORDER BY wanted.place, array_position($2::text[], c.version), c.position LIMIT 1`,
    [projectId, versions, paths]
  )

  return found
}
