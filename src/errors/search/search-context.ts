import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { findAssigneeGroups, findOwnGroupIds } from '#projects/members/assignee-group-store.ts'
import type { AssigneeFilter } from '../groups/assignee-filter.ts'
import type { SearchContext } from './conditions.ts'
import { findGroupByEvent } from './found-group-store.ts'
import { hasTag, listReleaseTimes } from './term-store.ts'

export function searchContext(em: EntityManager, { viewer, projectId }: { viewer: Viewer; projectId: number }, now: Date): SearchContext {
  return {
    now,
    findAssignee: name => findAssignee(em, { viewer, projectId }, name),
    hasTag: name => hasTag(em, projectId, name),
    findByEvent: eventId => findGroupByEvent(em, projectId, eventId),
    listReleases: () => listReleaseTimes(em, projectId)
  }
}

async function findAssignee(
  em: EntityManager,
  { viewer, projectId }: { viewer: Viewer; projectId: number },
  name: string
): Promise<AssigneeFilter | undefined> {
  if (/[#/]/.test(name)) {
    const [group] = await findAssigneeGroups(em, projectId, [name.replace(/^#/, '').toLowerCase()])

    return group && { groupIds: [group.id] }
  }
  const userId = await findUserId(em, viewer, name)
  const groupIds = name === 'me' ? await findOwnGroupIds(em, projectId, viewer.id) : []

  return userId !== undefined && groupIds.length > 0 ? { userId, groupIds } : userId
}

/** The id of a user by `me` or the username. */
export async function findUserId(em: EntityManager, viewer: Viewer, name: string) {
  if (name === 'me') return viewer.id
  const users = em.getKysely<Tables>().selectFrom('users').where(sql`lower(username)`, '=', name.toLowerCase())

  return (await users.select('id').executeTakeFirst())?.id
}
