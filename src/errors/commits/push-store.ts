import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { ReleaseCommit } from '../releases/commit-store.ts'
import type { Push } from './read-push.ts'

const retentionDays = 180

type Row = Push['commits'][number] & Pick<Push, 'repository' | 'branch'> & { projectId: number }

const rows = rowSet<Row>({
  project_id: ['bigint', row => row.projectId],
  repository: ['text', row => row.repository],
  branch: ['text', row => row.branch],
  sha: ['text', row => row.sha],
  author_name: ['text', row => row.authorName],
  author_email: ['text', row => row.authorEmail],
  message: ['text', row => row.message],
  paths: ['text', row => JSON.stringify(row.paths)],
  committed_at: ['timestamptz', row => row.committedAt]
})

/** A push that is sent again adds nothing. */
export async function storePush(em: EntityManager, projectId: number, { repository, branch, commits }: Push) {
  await em.transactional(async em => {
    const stored = commits.map(commit => ({ ...commit, projectId, repository, branch }))

    await query(em, 'UPDATE push_secrets SET last_push_at = now() WHERE project_id = $1', [projectId])
    await query(
      em,
      `INSERT INTO pushed_commits (${rows.names})
       SELECT project_id, repository, branch, sha, author_name, author_email, message,
         ARRAY(SELECT jsonb_array_elements_text(paths::jsonb)), committed_at
       FROM ${rows.source} ON CONFLICT DO NOTHING`,
      rows.params(stored)
    )
  })
}

/**
 * The commits of a release, the latest first: what was pushed to the branch of its commit since that of the release before. The first
 * release has the latest `limit` until its own. Undefined when its commit was not pushed.
 */
export async function findPushedCommits(em: EntityManager, projectId: number, release: { sha: string; before: string[] }, limit: number) {
  const [last] = await query<{ id: number; repository: string; branch: string }>(
    em,
    `SELECT id, repository, branch FROM pushed_commits WHERE project_id = $1 AND sha LIKE $2 || '%' ORDER BY id LIMIT 1`,
    [projectId, release.sha]
  )

  if (!last) return undefined

  return query<ReleaseCommit>(
    em,
    `WITH pushed AS (SELECT * FROM pushed_commits WHERE project_id = $1 AND repository = $2 AND branch = $3 AND id <= $4)
     SELECT sha, repository, author_name AS "authorName", author_email AS "authorEmail", message, paths, committed_at AS "committedAt"
     FROM pushed WHERE id > coalesce((SELECT max(id) FROM pushed WHERE id < $4 AND left(sha, 7) = ANY ($5::text[])), 0)
     ORDER BY id DESC LIMIT $6`,
    [projectId, last.repository, last.branch, last.id, release.before.map(sha => sha.slice(0, 7)), limit]
  )
}

export async function deleteOldPushes(em: EntityManager, at: Date) {
  await query(em, `DELETE FROM pushed_commits WHERE pushed_at < $1::timestamptz - interval '${retentionDays} days'`, [at.toISOString()])
}
