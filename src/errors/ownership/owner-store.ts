import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { findAssigneeGroups } from '#projects/members/assignee-group-store.ts'
import { isActiveMembership } from '#projects/members/roles.ts'

/** A member of the project, or one of its groups. */
export interface Owner {
  type: 'user' | 'group'
  id: number
  /** `@ann` or `#acme/billing`. */
  name: string
}

/** The owners that a project has, by how rules write them, in lower case: a username, an e-mail address or the path of a group. */
export async function findOwners(em: EntityManager, projectId: number, written: string[]) {
  const names = [...new Set(written.map(name => name.toLowerCase()))]
  const groups = await findAssigneeGroups(
    em,
    projectId,
    names.filter(name => /^[@#]/.test(name)).map(name => name.slice(1))
  )
  const found: [string, Owner][] = groups.flatMap(({ id, full_path: path }) => {
    const owner = { type: 'group' as const, id, name: `#${path}` }

    return [`#${path}`, `@${path}`].map((name): [string, Owner] => [name.toLowerCase(), owner])
  })
  const users = await findMembers(em, projectId, names)

  return new Map<string, Owner>([
    ...found,
    ...users.map(({ written, id, username }): [string, Owner] => [written, { type: 'user', id, name: `@${username}` }])
  ])
}

async function findMembers(em: EntityManager, projectId: number, names: string[]) {
  const { rows } = await sql<{ written: string; id: number; username: string }>`
    WITH people AS (
      SELECT n.owner_id AS user_id FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ${projectId}
      UNION SELECT m.user_id FROM projects p JOIN namespaces n ON n.id = p.namespace_id
        JOIN memberships m ON (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership} WHERE p.id = ${projectId}
    )
    SELECT w.written, u.id, u.username FROM unnest(${names}::text[]) AS w (written)
    JOIN users u ON '@' || lower(u.username) = w.written OR (lower(u.email) = w.written AND u.confirmed_at IS NOT NULL)
      OR EXISTS (SELECT FROM user_emails e WHERE e.user_id = u.id AND lower(e.email) = w.written AND e.confirmed_at IS NOT NULL)
    WHERE u.id IN (SELECT user_id FROM people) AND u.state = 'active'`.execute(em.getKysely())

  return rows
}
