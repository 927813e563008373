import { sql } from 'kysely'
import { writeTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
import { personJson } from '../members/assignees.ts'
import type { MemberSource } from '../members/member-source.ts'
import { type PersonLike, presentPerson } from '../present-project.ts'

/** The requests of active users who are not members yet, the oldest first. */
export function listAccessRequests(em: EntityManager, { type, id }: MemberSource) {
  const column = sql.ref(type === 'Project' ? 'project_id' : 'group_id')
  const requests = em
    .getKysely<Tables>()
    .selectFrom('access_requests as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where(
      sql<boolean>`r.${column} = ${id} AND u.state = 'active'
        AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = r.user_id AND m.${column} = ${id})`
    )

  return selectList(em, {
    from: requests,
    load: page => page.select([sql<Date>`r.created_at`.as('requested_at'), personJson('u').as('user')]).execute(),
    keys: ['r.id']
  })
}

export function presentRequest(user: PersonLike, requestedAt: Date, baseUrl: string) {
  return { ...presentPerson(user, baseUrl), requested_at: writeTime(requestedAt) }
}
