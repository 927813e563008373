import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '../members/member.ts'
import type { MemberSource } from '../members/member-source.ts'
import { isActiveMembership } from '../members/roles.ts'

const maxApprovers = 10

export async function findApprovers(em: EntityManager, { type, id, ancestorIds, ownerId }: MemberSource) {
  const groupIds = type === 'Group' ? [id, ...ancestorIds] : ancestorIds
  const projectId = type === 'Project' ? id : null
  const minRole = type === 'Group' ? Role.owner : Role.maintainer
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u
    WHERE u.state = 'active' AND u.kind = 'human' AND u.confirmed_at IS NOT NULL AND (u.id = ${ownerId ?? null}::bigint OR u.id IN (
      SELECT m.user_id FROM memberships m
      WHERE (m.project_id = ${projectId}::bigint OR m.group_id = ANY (${groupIds}::bigint[])) AND m.access_level >= ${minRole} AND ${isActiveMembership}))
    ORDER BY u.last_activity_on DESC NULLS LAST, u.id LIMIT ${maxApprovers}`.execute(em.getKysely())

  return rows.map(({ id }) => id)
}
