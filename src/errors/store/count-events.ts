import type { EntityManager } from '#platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { findGroupIds } from '../grouping/hash-store.ts'
import { findOrCreateGroups } from '../groups/find-or-create-groups.ts'
import { addToGroups, findGroupChanges, toArrivals } from './group-store.ts'
import { regressGroups } from './regress-groups.ts'

/**
 * Counts events in their groups without storing them. Their ids are not stored: `isFresh` tells whether their envelope
 * is counted for the first time.
 */
export async function countEvents(em: EntityManager, events: StoredEvent[], isFresh: (event: StoredEvent) => boolean, at: Date) {
  if (events.length === 0) return []
  const fresh = events.filter(isFresh)

  if (fresh.length > 0) await regressGroups(em, toArrivals(await addToGroups(em, fresh, await findOrCreateGroups(em, fresh))), at)

  return findGroupChanges(em, events, await findGroupIds(em, events))
}
