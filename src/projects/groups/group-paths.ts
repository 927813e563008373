import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isActiveMembership } from '../members/roles.ts'

const maxGroups = 500

export interface GroupPaths {
  /** Groups that the user is a member of, without those below them. */
  direct: string[]
  all: string[]
  owner: string[]
  maintainer: string[]
  developer: string[]
}

/** The full paths of a user's groups, and of those in which the user has exactly a role. */
export async function groupPathsOf(em: EntityManager, user: Pick<Viewer, 'id'>): Promise<GroupPaths> {
  const { rows } = await sql<{ path: string; role: number; is_direct: boolean }>`
    SELECT n.full_path AS path, max(m.access_level) AS role, bool_or(m.group_id = n.id) AS is_direct
     FROM members m JOIN namespaces n ON m.group_id = ANY (n.lineage)
     WHERE m.user_id = ${user.id} AND m.group_id IS NOT NULL AND n.kind = 'group' AND ${isActiveMembership}
     GROUP BY n.id ORDER BY n.full_path LIMIT ${maxGroups}`.execute(em.getKysely())
  const paths = (isWanted: (row: (typeof rows)[number]) => boolean) => rows.filter(isWanted).map(({ path }) => path)

  return {
    direct: paths(({ is_direct }) => is_direct),
    all: paths(() => true),
    owner: paths(({ role }) => role === Role.owner),
    maintainer: paths(({ role }) => role === Role.maintainer),
    developer: paths(({ role }) => role === Role.developer)
  }
}
