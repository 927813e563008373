import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
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

  return selectList(em, {
    from: moves,
    load: page => page.selectAll('m').select(kind.json.as('subject')).execute(),
    keys: [{ sql: 'm.id', sort: 'desc' }]
  })
}

export type MoveRow = Awaited<ReturnType<ReturnType<typeof movesOf>['list']>>[number]
