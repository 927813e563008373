import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { SearchContext } from './conditions.ts'
import { findGroupByEvent } from './found-group-store.ts'
import { hasTag, listReleaseTimes } from './term-store.ts'

export function searchContext(em: EntityManager, { viewer, projectId }: { viewer: Viewer; projectId: number }, now: Date): SearchContext {
  return {
    now,
    findUserId: name => findUserId(em, viewer, name),
    hasTag: name => hasTag(em, projectId, name),
    findByEvent: eventId => findGroupByEvent(em, projectId, eventId),
    listReleases: () => listReleaseTimes(em, projectId)
  }
}

/** The id of a user by `me` or the username. */
export async function findUserId(em: EntityManager, viewer: Viewer, name: string) {
  if (name === 'me') return viewer.id
  const users = em.getKysely<Tables>().selectFrom('users').where(sql`lower(username)`, '=', name.toLowerCase())

  return (await users.select('id').executeTakeFirst())?.id
}
