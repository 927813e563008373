import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Storages } from '#platform/git/storages.ts'
import { BulkMove, type MoveKindName } from './bulk-move.ts'
import { countRepositories } from './move-store.ts'
import { notAStorage, pickDestination } from './schedule-move.ts'

interface NewBulkMove {
  kind: MoveKindName
  source: string
  destination?: string | null
}

/** Moves all repositories of a kind away from a storage. Enqueue `continueBulkMove` after the commit. */
export function startBulkMove(em: EntityManager, storages: Storages, { kind, source, destination }: NewBulkMove, by: Actor) {
  if (!storages.has(source)) throw notAStorage('source_storage_name')
  if (destination && (!storages.has(destination) || destination === source)) throw notAStorage('destination_storage_name')
  if (!destination) pickDestination(storages, source)

  return em.transactional(async em => {
    const move = em.create(BulkMove, {
      kind,
      sourceStorage: source,
      destinationStorage: destination ?? null,
      total: await countRepositories(em, kind, source),
      createdById: by.user?.id ?? null
    })

    await em.flush()
    recordAuditEvent(em, by, {
      name: 'repository_storage_bulk_move_started',
      entity: instance,
      details: { kind, source_storage_name: source, destination_storage_name: destination ?? null, repositories: move.total }
    })

    return move
  })
}
