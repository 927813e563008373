import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { SearchContext } from './read-search.ts'
import { hasTag } from './term-store.ts'

export function searchContext(em: EntityManager, { viewer, projectId }: { viewer: Viewer; projectId: number }, now: Date): SearchContext {
  return {
    now,
    async findUserId(name) {
      if (name === 'me') return viewer.id
      const users = em.getKysely<Tables>().selectFrom('users').where(sql`lower(username)`, '=', name.toLowerCase())

      return (await users.select('id').executeTakeFirst())?.id
    },
    hasTag: name => hasTag(em, projectId, name)
  }
}
