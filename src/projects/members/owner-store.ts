import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import { Role } from './member.ts'

/** A user `u` with a membership `m` is an owner who can sign in, and who does not lose the role on some day. */
const isUsableOwner = sql<SqlBool>`u.kind = 'human' AND u.state = 'active' AND m.access_level = ${sql.lit(Role.owner)} AND m.expires_at IS NULL`

/** Whether a group has a usable owner, in itself or in an ancestor, once this user has no role anywhere. The caller has locked the group. */
export async function hasOtherOwner(em: EntityManager, groupId: number, userId: number) {
  return hasOwnerAmong(em, groupId, sql<SqlBool>`m.user_id <> ${userId}`)
}

/** The same once this user is no owner of the group itself: a role inherited from an ancestor stays. */
export async function hasOwnerWithoutMember(em: EntityManager, groupId: number, userId: number) {
  return hasOwnerAmong(em, groupId, sql<SqlBool>`(m.user_id <> ${userId} OR m.group_id <> ${groupId})`)
}

async function hasOwnerAmong(em: EntityManager, groupId: number, isCounted: RawBuilder<SqlBool>) {
  const { rows } = await sql`
    SELECT FROM namespaces g JOIN members m ON m.group_id = ANY (g.lineage) JOIN users u ON u.id = m.user_id
    WHERE g.id = ${groupId} AND ${isCounted} AND ${isUsableOwner} LIMIT 1`.execute(em.getKysely())

  return rows.length > 0
}

/** Whether a group would be left without a usable owner. Locks the groups of the user until the transaction ends. */
export async function isLastOwner(em: EntityManager, userId: number) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('members')
    .select('group_id')
    .where('user_id', '=', userId)
    .where('group_id', 'is not', null)
    .where('access_level', '=', Role.owner)
    .orderBy('group_id')
    .$narrowType<{ group_id: number }>()
    .execute()

  for (const { group_id: id } of rows) await lockRow(em, 'namespaces', id)
  for (const { group_id: id } of rows) if (!(await hasOtherOwner(em, id, userId))) return true

  return false
}
