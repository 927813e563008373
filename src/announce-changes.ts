import type { EventSubscriber, FlushEventArgs } from '@mikro-orm/core'
import type { EntityManager, Tables } from './platform/database/database.ts'
import { announce, type Change } from './platform/live/announce.ts'

/** The kind that pages know entities by, and the property in the address of their pages. */
const things = {
  Alert: { kind: 'alerts', id: 'iid' },
  Issue: { kind: 'issues', id: 'iid' },
  ErrorGroup: { kind: 'errors', id: 'id' }
} as const

/** Notes and comments, which the page of their alert, issue or error shows. */
const parts = {
  AlertNote: { kind: 'alerts', table: 'alerts', id: 'iid', owner: 'alertId' },
  IssueNote: { kind: 'issues', table: 'issues', id: 'iid', owner: 'issueId' },
  ErrorComment: { kind: 'errors', table: 'error_groups', id: 'id', owner: 'groupId' }
} as const

type Values = Record<string, number>

/** Announces what people change, whichever use case did it. Workers announce what they receive themselves. */
export class AnnounceChanges implements EventSubscriber {
  /** In the transaction of the change, or after it when the flush was one of its own. */
  async afterFlush({ em, uow }: FlushEventArgs) {
    const changed = uow.getChangeSets().map(({ meta, entity }) => ({ name: meta.className, values: entity as Values }))

    if (changed.length === 0) return
    const direct = changed.flatMap(({ name, values }) => {
      const thing = things[name as keyof typeof things]

      return thing ? [{ kind: thing.kind, projectId: values.projectId!, id: values[thing.id]! }] : []
    })
    const owners = await Promise.all(
      Object.entries(parts).map(([part, { owner, ...where }]) =>
        findOwners(
          em as EntityManager,
          where,
          changed.filter(({ name }) => name === part).map(({ values }) => values[owner]!)
        )
      )
    )

    await announce(em as EntityManager, [...direct, ...owners.flat()])
  }
}

interface Owners {
  kind: string
  table: 'alerts' | 'issues' | 'error_groups'
  id: 'iid' | 'id'
}

async function findOwners(em: EntityManager, { kind, table, id }: Owners, ids: number[]): Promise<Change[]> {
  if (ids.length === 0) return []
  const rows = await em
    .getKysely<Tables>()
    .selectFrom(table)
    .select(['project_id as projectId', `${id} as id` as 'id'])
    .where('id', 'in', ids)
    .execute()

  return rows.map(row => ({ kind, ...row }))
}
