import type { Actor } from '../../audit/record-audit-event.ts'
import { Problem } from '../../http/problems/problems.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import { recordOf } from '../audited.ts'
import { getUser } from './find-user.ts'
import { keepAnAdmin } from './require-an-admin.ts'
import type { User } from './user.ts'

class StillNeeded extends Problem {
  constructor(why: string) {
    super(409, { message: `User cannot be removed: ${why}` })
  }
}

/**
 * Removes a user for good. What they did elsewhere stays, without a name; the projects in their own
 * space go with them, which has to be asked for, and groups are not left without an owner. Tells whose remains are to be purged.
 */
export async function deleteUser(em: EntityManager, actor: Actor, id: number, { withProjects = false }) {
  return em.transactional(async em => {
    const user = await getUser(em, id)

    await keepAnAdmin(em, user, 'deleted')
    if (await isSoleOwner(em, user)) throw new StillNeeded('is the sole owner of a group')
    const projectIds = await projectsOf(em, user)

    if (!withProjects && projectIds.length > 0) throw new StillNeeded('has projects of their own; hard_delete removes them as well')
    recordOf(em, actor, user, 'user_deleted', { hard_delete: withProjects })
    em.remove(user)

    return projectIds
  })
}

async function isSoleOwner(em: EntityManager, user: User) {
  const rows = await query(
    em,
    `SELECT 1 FROM members m JOIN namespaces g ON g.id = m.group_id AND g.parent_id IS NULL
     WHERE m.user_id = $1 AND m.access_level = $2
       AND NOT EXISTS (
         SELECT 1 FROM members o JOIN users u ON u.id = o.user_id AND u.kind = 'human'
         WHERE o.group_id = m.group_id AND o.access_level = $2 AND o.user_id <> $1
       )
     LIMIT 1`,
    [user.id, Role.owner]
  )

  return rows.length > 0
}

async function projectsOf(em: EntityManager, user: User) {
  const rows = await query<{ id: string }>(
    em,
    `SELECT p.id FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE n.owner_id = $1 AND n.kind = 'user'`,
    [user.id]
  )

  return rows.map(({ id }) => Number(id))
}
