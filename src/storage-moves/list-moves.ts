import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { MoveKind } from './move-kinds.ts'

interface Filter {
  repositoryId?: number
  id?: number
}

/** The moves of one kind, newest first. */
export function movesOf(em: EntityManager, kind: MoveKind, { repositoryId, id }: Filter = {}) {
  const db = em.getKysely<Tables>()
  const moves = db
    .selectFrom('repository_storage_moves as m')
    .innerJoin('repositories as r', 'r.id', 'm.repository_id')
    .where(`r.${kind.name}_id`, 'is not', null)
    .$if(repositoryId !== undefined, query => query.where('m.repository_id', '=', repositoryId!))
    .$if(id !== undefined, query => query.where('m.id', '=', id!))

  return {
    list: (limit: number, offset: number) =>
      moves.selectAll('m').select(kind.json.as('subject')).orderBy('m.id', 'desc').limit(limit).offset(offset).execute(),
    async count(max: number) {
      const { count } = await db
        .selectFrom(moves.select(sql`1`.as('one')).limit(max).as('some'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()

      return count
    }
  }
}

export type MoveRow = Awaited<ReturnType<ReturnType<typeof movesOf>['list']>>[number]
