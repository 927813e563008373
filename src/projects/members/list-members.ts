import { Conditions } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Home } from '../groups/parent-namespace.ts'
import type { PersonLike } from '../present-project.ts'
import { isLive } from './roles.ts'

export interface MemberFilter {
  /** Also those of the groups above; of several memberships, the one with the highest role. */
  isInherited?: boolean
  userId?: number
  userIds?: number[]
  skip?: number[]
  search?: string
}

export interface MemberRow {
  id: number
  user_id: number
  username: string
  name: string
  state: string
  access_level: number
  created_at: string
  expires_at: string | null
  creator: PersonLike | null
}

/** Whose membership counts today. */
export function members(em: EntityManager, home: Home, filter: MemberFilter) {
  const { sql, values } = conditionsFor(home, filter)
  const source = `members m JOIN users u ON u.id = m.user_id WHERE ${sql}`

  return {
    list: (limit: number, offset = 0) =>
      query<MemberRow>(
        em,
        `SELECT m.id, m.user_id, u.username, u.name, u.state, m.access_level, m.created_at, m.expires_at::text,
                CASE WHEN c.id IS NOT NULL THEN
                  jsonb_build_object('id', c.id, 'username', c.username, 'name', c.name, 'state', c.state)
                END AS creator
         FROM (SELECT DISTINCT ON (m.user_id) m.* FROM ${source} ORDER BY m.user_id, m.access_level DESC, m.id) AS m
         JOIN users u ON u.id = m.user_id
         LEFT JOIN users c ON c.id = m.created_by_id
         ORDER BY m.id LIMIT ${limit} OFFSET ${offset}`,
        values
      ),
    async count() {
      const [row] = await query<{ count: string }>(em, `SELECT count(DISTINCT m.user_id) FROM ${source}`, values)

      return Number(row!.count)
    }
  }
}

function conditionsFor(home: Home, { isInherited, userId, userIds, skip, search }: MemberFilter) {
  const groups = [...(home.type === 'Group' ? [home.id] : []), ...(isInherited ? home.above : [])]
  const text = search?.trim() && `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`
  const conditions = new Conditions().add(isLive)

  if (home.type === 'Project') conditions.add('(m.project_id = ? OR m.group_id = ANY (?::bigint[]))', home.id, groups)
  else conditions.add('m.group_id = ANY (?::bigint[])', groups)

  return conditions
    .add('m.user_id = ?', userId)
    .add('m.user_id = ANY (?::bigint[])', userIds)
    .add('m.user_id <> ALL (?::bigint[])', skip)
    .add('(u.username ILIKE ? OR u.name ILIKE ?)', text || undefined, text)
}
