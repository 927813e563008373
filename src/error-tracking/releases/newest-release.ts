import { type EntityManager, query } from '../../platform/database/database.ts'
import { isNewer, packageOf } from './release-order.ts'

/** Where projects release for every change, older ones are hardly the newest. */
const looked = 500

/** The newest release of a project: of the same package as the one that is named, where that names one. */
export async function newestRelease(em: EntityManager, projectId: number, like?: string | null) {
  const rows = await query<{ version: string; first_seen_at: string }>(
    em,
    `SELECT version, first_seen_at FROM error_releases WHERE project_id = $1 ORDER BY first_seen_at DESC, version LIMIT ${looked}`,
    [projectId]
  )
  const firstSeen = new Map(rows.map(row => [row.version, new Date(row.first_seen_at).getTime()]))
  const versions = rows.map(({ version }) => version).filter(version => !like || packageOf(version) === packageOf(like))

  return versions.reduce<string | undefined>(
    (newest, version) => (newest === undefined || isNewer(version, newest, release => firstSeen.get(release)) ? version : newest),
    like ?? undefined
  )
}
