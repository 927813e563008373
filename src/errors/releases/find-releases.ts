import type { Selectable } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { type List, type Sort, selectList } from '#platform/database/list.ts'
import type { ReleaseTable } from '../tables.ts'
import { isNewer, packageOf } from './release-order.ts'

export type ReleaseRow = Omit<Selectable<ReleaseTable>, 'project_id'>

/** A project's releases by first-seen time. */
export function listReleases(em: EntityManager, projectId: number, sort: Sort = 'desc'): List<ReleaseRow> {
  return selectList(em, {
    from: selectReleases(em, projectId),
    load: page => page.execute(),
    keys: [
      { sql: 'first_seen_at', type: 'timestamptz', of: release => release.first_seen_at, sort },
      { sql: 'version', of: release => release.version, sort }
    ]
  })
}

export function findRelease(em: EntityManager, projectId: number, version: string): Promise<ReleaseRow | undefined> {
  return selectReleases(em, projectId).where('version', '=', version).executeTakeFirst()
}

function selectReleases(em: EntityManager, projectId: number) {
  return em
    .getKysely<Tables>()
    .selectFrom('error_releases')
    .select(['version', 'first_seen_at', 'last_seen_at', 'released_at', 'url', 'is_archived', 'commit_sha'])
    .where('project_id', '=', projectId)
}

/** First-seen times of the projects' releases, by `project version`. */
export async function findFirstSeen(em: EntityManager, projectIds: number[]) {
  if (projectIds.length === 0) return new Map<string, number>()
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_releases')
    .select(['project_id', 'version', 'first_seen_at'])
    .where('project_id', 'in', [...new Set(projectIds)])
    .execute()

  return new Map(rows.map(row => [`${row.project_id} ${row.version}`, row.first_seen_at.getTime()]))
}

/** Older releases are unlikely to have the newest version. */
const maxCompared = 500

/** The newest release of a project; with `like`, of the same package. */
export async function findNewestRelease(em: EntityManager, projectId: number, like?: string | null) {
  const rows = await findNewestReleases(em, projectId, maxCompared)
  const firstSeen = new Map(rows.map(row => [row.version, row.first_seen_at.getTime()]))
  const versions = rows.map(({ version }) => version).filter(version => !like || packageOf(version) === packageOf(like))

  return versions.reduce<string | undefined>(
    (newest, version) => (newest === undefined || isNewer(version, newest, release => firstSeen.get(release)) ? version : newest),
    like ?? undefined
  )
}

/** The releases that were first seen last. */
export function findNewestReleases(em: EntityManager, projectId: number, limit: number): Promise<ReleaseRow[]> {
  return selectReleases(em, projectId).orderBy('first_seen_at', 'desc').orderBy('version').limit(limit).execute()
}

/** The releases among these that were first seen after a time, the latest ones. */
export function listFirstSeen(em: EntityManager, projectId: number, versions: string[], after: Date, limit: number): Promise<ReleaseRow[]> {
  if (versions.length === 0) return Promise.resolve([])

  return selectReleases(em, projectId)
    .where('version', 'in', versions)
    .where('first_seen_at', '>=', after)
    .orderBy('first_seen_at', 'desc')
    .limit(limit)
    .execute()
}
