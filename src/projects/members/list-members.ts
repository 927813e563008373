import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { Visibility } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { selectList } from '#platform/database/list.ts'
import type { PersonLike } from '../present-project.ts'
import { personJson } from './assignees.ts'
import { findMemberSource, type MemberSource } from './member-source.ts'
import { isActiveMembership } from './roles.ts'

export interface MemberFilter {
  /** Includes members of ancestor groups and of shares; of several memberships the one with the highest role. */
  isInherited?: boolean
  /** Among those, only inherited memberships: from ancestor groups and groups that the source is shared with. */
  isElsewhere?: boolean
  userId?: number
  userIds?: number[]
  skip?: number[]
  search?: string
}

export interface MemberRow {
  user: PersonLike
  access_level: number
  created_at: Date
  expires_at: string | null
  creator: PersonLike | null
  /** The group of which the user is a member, if the membership comes from one. */
  group: MemberGroup | null
  /** Through a share with that group. */
  is_shared: boolean
}

export interface MemberGroup {
  id: number
  full_path: string
  visibility: Visibility
}

const groupJson = sql<MemberGroup | null>`(SELECT jsonb_build_object('id', g.id, 'full_path', g.full_path, 'visibility', g.visibility)
  FROM members o JOIN namespaces g ON g.id = o.group_id WHERE o.id = m.id)`

interface Membership extends Pick<MemberRow, 'access_level' | 'created_at'> {
  id: number
  user_id: number
  created_by_id: number
}

/** The active memberships of a project or group. */
export function listMembers(em: EntityManager, source: MemberSource, filter: MemberFilter) {
  const memberships = sql<Membership>`(
    SELECT DISTINCT ON (m.user_id) m.* FROM ${sql.table(filter.isInherited ? 'memberships' : 'members')} m JOIN users u ON u.id = m.user_id
    WHERE ${matches(source, filter)} ORDER BY m.user_id, m.access_level DESC, m.id)`

  return selectList(em, {
    from: em.getKysely<Tables>().selectFrom(memberships.as<'m'>('m')),
    load: (page): Promise<MemberRow[]> =>
      page
        .innerJoin('users as u', 'u.id', 'm.user_id')
        .leftJoin('users as c', 'c.id', 'm.created_by_id')
        .select([
          personJson('u').$notNull().as('user'),
          'm.access_level',
          'm.created_at',
          sql<string | null>`m.expires_at::text`.as('expires_at'),
          personJson('c').as('creator'),
          groupJson.as('group'),
          sql<boolean>`${filter.isInherited ? sql`m.is_shared` : sql`false`}`.as('is_shared')
        ])
        .execute(),
    keys: ['m.id']
  })
}

/** The members of a project, to whom alerts and issues can be assigned, by name or username. */
export async function findAssignable(em: EntityManager, viewer: Viewer, projectId: number, search: string, limit: number) {
  const source = await findMemberSource(em, viewer, 'projects', String(projectId))
  const members = await listMembers(em, source, { isInherited: true, search }).list(limit)

  return members.map(({ user }) => user)
}

/** The one member with this username, or the only one whose name contains the text. */
export function pickAssignable(people: PersonLike[], text: string) {
  const username = text.toLowerCase()
  const exact = people.find(person => person.username.toLowerCase() === username)

  return exact ?? (people.length === 1 ? people[0] : undefined)
}

function matches({ type, id, ancestorIds }: MemberSource, { isInherited, isElsewhere, userId, userIds, skip, search }: MemberFilter) {
  const groups = [...(type === 'Group' ? [id] : []), ...(isInherited ? ancestorIds : [])]
  const inGroups = sql`m.group_id = ANY (${groups}::bigint[])`
  const text = search?.trim()

  return allOf(
    isActiveMembership,
    type === 'Project' ? sql`(m.project_id = ${id} OR ${inGroups})` : inGroups,
    isElsewhere && sql`(m.is_shared OR ${sql.ref(type === 'Project' ? 'm.project_id' : 'm.group_id')} IS DISTINCT FROM ${id})`,
    userId !== undefined && sql`m.user_id = ${userId}`,
    userIds && sql`m.user_id = ANY (${userIds}::bigint[])`,
    skip && sql`m.user_id <> ALL (${skip}::bigint[])`,
    text && sql`(u.username ILIKE ${containing(text)} OR u.name ILIKE ${containing(text)})`
  )
}
