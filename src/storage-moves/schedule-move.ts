import { LockMode } from '@mikro-orm/core'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Storages } from '#platform/git/storages.ts'
import { Repository } from '#repositories/repository.ts'
import { StorageMove } from './storage-move.ts'

interface NewMove {
  repositoryId: number
  /** The noun that errors name: `project`, `group` or `snippet`. */
  kind: string
  /** Chosen by weight when undefined. */
  destination?: string | null
  bulkMoveId?: number
  /** Audited, unless it is part of a bulk move. */
  by?: Actor
}

/** Makes the repository read-only and records its move. Enqueue `moveRepository` after the commit; lost jobs are found by a schedule. */
export function scheduleMove(
  em: EntityManager,
  storages: Storages,
  { repositoryId, kind, destination, bulkMoveId, by }: NewMove,
  at: Date
) {
  return em.transactional(async em => {
    const repository = await em.findOneOrFail(Repository, { id: repositoryId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    const destinationStorage = destination ?? pickDestination(storages, repository.storage)

    checkDestination(storages, destinationStorage, repository.storage)
    if (repository.isReadOnly) throw new ValidationFailed({ [kind]: ['is read-only'] })
    // Clients write again, but the original is not deleted yet.
    if (await em.count(StorageMove, { repositoryId, state: 'replicated' })) throw new ValidationFailed({ [kind]: ['is still moving'] })
    repository.isReadOnly = true
    if (by) recordMove(em, by, kind, repository, destinationStorage)

    return em.create(StorageMove, {
      repositoryId,
      bulkMoveId: bulkMoveId ?? null,
      state: 'scheduled',
      history: (['initial', 'scheduled'] as const).map(state => ({ state, at: at.toISOString() })),
      sourceStorage: repository.storage,
      sourcePath: repository.path,
      destinationStorage
    })
  })
}

function recordMove(em: EntityManager, by: Actor, kind: string, { id, storage }: Repository, destination: string) {
  recordAuditEvent(em, by, {
    name: 'repository_storage_move_scheduled',
    entity: instance,
    target: { type: 'Repository', id, details: `${storage} to ${destination}` },
    details: { kind, source_storage_name: storage, destination_storage_name: destination }
  })
}

export function pickDestination(storages: Storages, source: string) {
  const candidates = storages.names.filter(name => name !== source)

  if (candidates.length === 0)
    throw new ValidationFailed({ destination_storage_name: ['is missing: there is no other storage to move to'] })

  return storages.pick(candidates)
}

function checkDestination(storages: Storages, destination: string, source: string) {
  if (!storages.has(destination)) throw notAStorage('destination_storage_name')
  if (destination === source) throw new ValidationFailed({ destination_storage_name: ['cannot be the same as the source storage'] })
}

export function notAStorage(parameter: string) {
  return new ValidationFailed({ [parameter]: ['is not included in the list'] })
}
