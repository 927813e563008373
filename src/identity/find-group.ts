import { Forbidden, NotFound } from '../http/problems.ts'
import { type EntityManager, query } from '../platform/database.ts'
import { Role } from '../projects/member.ts'
import { Namespace } from '../projects/namespace.ts'
import type { User } from './user.ts'

/** A group by id or path, for somebody who has at least this role in it. What one may not see is not found. */
export async function findGroup(em: EntityManager, viewer: User, idOrPath: string, least: number = Role.guest) {
  const group = await em.findOne(Namespace, {
    kind: 'group',
    ...(/^\d{1,15}$/.test(idOrPath) ? { id: Number(idOrPath) } : { fullPath: idOrPath })
  })

  if (!group) throw new NotFound('Group')
  if (viewer.isAdmin) return group

  const [member] = await query<{ level: number | null }>(
    em,
    `SELECT max(access_level) AS level FROM members
     WHERE user_id = $1 AND group_id = ANY ((SELECT lineage FROM namespaces WHERE id = $2)::bigint[])
       AND (expires_at IS NULL OR expires_at > current_date)`,
    [viewer.id, group.id]
  )
  const level = member?.level ?? 0

  if (level === 0 && group.visibility === 'private') throw new NotFound('Group')
  if (level < least) throw new Forbidden()

  return group
}
