import type { EntityManager, Tables } from '#platform/database/database.ts'
import { checkUnmodified, unmodifiedSinceOf } from '#platform/database/lock-for-change.ts'
import { findRelease } from './find-releases.ts'

export interface ReleaseChanges {
  releasedAt?: Date
  url?: string
  isArchived?: boolean
  /** Commits by project. */
  commits?: Map<number, string>
}

/** Creates the release in each project, or changes it where it exists. Undefined members are left unchanged. */
export async function saveRelease(
  em: EntityManager,
  projectIds: number[],
  version: string,
  { releasedAt, url, isArchived, commits = new Map() }: ReleaseChanges = {}
) {
  const unmodifiedSince = unmodifiedSinceOf(em)

  for (const id of unmodifiedSince ? projectIds : []) {
    const release = await findRelease(em, id, version)

    if (release) checkUnmodified(release.last_seen_at, unmodifiedSince)
  }
  const at = new Date()
  const changes = {
    ...(releasedAt && { released_at: releasedAt }),
    ...(url && { url }),
    ...(isArchived !== undefined && { is_archived: isArchived })
  }
  const rows = projectIds
    .toSorted((a, b) => a - b)
    .map(id => ({ project_id: id, version, first_seen_at: at, last_seen_at: at, commit_sha: commits.get(id) ?? null, ...changes }))

  if (rows.length === 0) return
  await em
    .getKysely<Tables>()
    .insertInto('error_releases')
    .values(rows)
    .onConflict(conflict => {
      const existing = conflict.columns(['project_id', 'version'])

      if (Object.keys(changes).length === 0 && commits.size === 0) return existing.doNothing()

      return existing.doUpdateSet(e => ({
        ...changes,
        commit_sha: e.fn.coalesce('excluded.commit_sha', 'error_releases.commit_sha')
      }))
    })
    .execute()
}
