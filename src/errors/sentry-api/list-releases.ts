import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { selectList } from '#platform/database/list.ts'

/** A release of one or more projects. */
export interface SentryRelease {
  id: number
  version: string
  project_ids: number[]
  first_seen_at: Date
  last_seen_at: Date
  released_at: Date | null
  url: string | null
  is_archived: boolean
}

interface Filter {
  version?: string
  isArchived?: boolean
}

/** Releases of any of the projects, newest first. */
export function listReleases(em: EntityManager, projectIds: number[], { version, isArchived }: Filter) {
  const releases = sql<SentryRelease>`(
    SELECT min(id) AS id, version, array_agg(project_id ORDER BY project_id) AS project_ids, min(first_seen_at) AS first_seen_at,
           max(last_seen_at) AS last_seen_at, max(released_at) AS released_at, max(url) AS url, bool_and(is_archived) AS is_archived
    FROM error_releases
    WHERE ${allOf(sql`project_id = ANY (${projectIds}::bigint[])`, version !== undefined && sql`version = ${version}`)}
    GROUP BY version)`

  return selectList(em, {
    from: em
      .getKysely()
      .selectFrom(releases.as<'r'>('r'))
      .selectAll()
      .where(allOf(isArchived !== undefined && sql`is_archived = ${isArchived}`)),
    load: (page): Promise<SentryRelease[]> => page.execute(),
    keys: [
      { sql: 'first_seen_at', type: 'timestamptz', of: release => release.first_seen_at, sort: 'desc' },
      { sql: 'version', of: release => release.version, sort: 'desc' }
    ]
  })
}
