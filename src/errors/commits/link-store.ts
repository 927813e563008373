import { type EntityManager, query } from '#platform/database/database.ts'

export interface DueRelease {
  projectId: number
  version: string
  commit: string | null
  firstSeenAt: Date
}

/** Takes releases whose commits are to be found. A process that dies leaves them due again after ten minutes. */
export function takeDueReleases(em: EntityManager, at: Date, limit: number) {
  return query<DueRelease>(
    em,
    `UPDATE error_releases r SET link_commits_at = $1::timestamptz + interval '10 minutes'
     FROM (SELECT project_id, version FROM error_releases WHERE link_commits_at <= $1 ORDER BY link_commits_at LIMIT $2
       FOR UPDATE SKIP LOCKED) due
     WHERE r.project_id = due.project_id AND r.version = due.version
     RETURNING r.project_id AS "projectId", r.version, r.commit_sha AS commit, r.first_seen_at AS "firstSeenAt"`,
    [at.toISOString(), limit]
  )
}

/** The latest before a release, by when they were first seen. */
export function listReleasesBefore(em: EntityManager, { projectId, version, firstSeenAt }: DueRelease, limit: number) {
  return query<{ version: string; commit: string | null }>(
    em,
    `SELECT version, commit_sha AS commit FROM error_releases
     WHERE project_id = $1 AND version <> $2 AND first_seen_at <= $3 ORDER BY first_seen_at DESC, version LIMIT $4`,
    [projectId, version, firstSeenAt.toISOString(), limit]
  )
}

export async function endLinking(em: EntityManager, { projectId, version }: DueRelease) {
  await query(em, 'UPDATE error_releases SET link_commits_at = NULL WHERE project_id = $1 AND version = $2', [projectId, version])
}

/** Looks at their commits again, as they have changed. */
export async function linkAgain(em: EntityManager, projectIds: number[], version: string) {
  await query(em, 'UPDATE error_releases SET link_commits_at = now() WHERE project_id = ANY ($1::bigint[]) AND version = $2', [
    projectIds,
    version
  ])
}

/** Errors that commits of a release fix; those that were merged stand for what they were merged into. */
export async function addFixes(em: EntityManager, { projectId, version }: DueRelease, fixes: { id: number; sha: string }[]) {
  if (fixes.length === 0) return
  await query(
    em,
    `INSERT INTO error_fixes (project_id, group_id, version, sha)
     SELECT $1, coalesce(g.merged_into, g.id), $2, given.sha FROM unnest($3::bigint[], $4::text[]) AS given (id, sha)
     JOIN error_groups g ON g.id = given.id AND g.project_id = $1 ON CONFLICT DO NOTHING`,
    [projectId, version, fixes.map(({ id }) => id), fixes.map(({ sha }) => sha)]
  )
}

export interface DueDeploy {
  projectId: number
  version: string
}

/** Releases that were deployed since, once their commits are known. */
export function listDueDeploys(em: EntityManager, limit: number) {
  return query<DueDeploy>(
    em,
    `SELECT DISTINCT d.project_id AS "projectId", d.version FROM error_deploys d JOIN error_releases r USING (project_id, version)
     WHERE NOT d.has_applied_fixes AND r.link_commits_at IS NULL LIMIT $1`,
    [limit]
  )
}

export async function endDeploy(em: EntityManager, { projectId, version }: DueDeploy) {
  await query(em, 'UPDATE error_deploys SET has_applied_fixes = true WHERE project_id = $1 AND version = $2 AND NOT has_applied_fixes', [
    projectId,
    version
  ])
}

/** What a deployed release fixes: what its own commits fix, and those of earlier releases that were not deployed. */
export function listDeployedFixes(em: EntityManager, { projectId, version }: DueDeploy) {
  return query<{ groupId: number; sha: string }>(
    em,
    `SELECT DISTINCT ON (f.group_id) f.group_id AS "groupId", f.sha FROM error_fixes f
     JOIN error_releases r ON r.project_id = f.project_id AND r.version = f.version
     WHERE f.project_id = $1 AND f.applied_at IS NULL
       AND r.first_seen_at <= (SELECT first_seen_at FROM error_releases WHERE project_id = $1 AND version = $2)
     ORDER BY f.group_id, r.first_seen_at DESC`,
    [projectId, version]
  )
}

export async function endFix(em: EntityManager, projectId: number, groupId: number, at: Date) {
  await query(em, 'UPDATE error_fixes SET applied_at = $3 WHERE project_id = $1 AND group_id = $2 AND applied_at IS NULL', [
    projectId,
    groupId,
    at.toISOString()
  ])
}

export interface Fix {
  sha: string
  version: string
  message: string
  appliedAt: Date | null
}

/** The commits that say that they fix an error, the latest first. */
export function listFixes(em: EntityManager, projectId: number, groupId: number, limit: number) {
  return query<Fix>(
    em,
    `SELECT f.sha, f.version, c.message, f.applied_at AS "appliedAt" FROM error_fixes f
     JOIN error_releases r ON r.project_id = f.project_id AND r.version = f.version
     JOIN error_release_commits c ON c.project_id = f.project_id AND c.version = f.version AND c.sha = f.sha
     WHERE f.project_id = $1 AND f.group_id = $2 ORDER BY r.first_seen_at DESC, f.sha LIMIT $3`,
    [projectId, groupId, limit]
  )
}
