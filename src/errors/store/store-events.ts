import type { EntityManager } from '#platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { type GroupIds, hashKey } from '../grouping/assign-groups.ts'
import { findGroupIds } from '../grouping/hash-store.ts'
import { findOrCreateGroups } from '../groups/find-or-create-groups.ts'
import type { GroupChange } from '../jobs.ts'
import { assignOwners, type Ownerships } from '../ownership/assign-owners.ts'
import { eventKey, findStoredEvents, insertEvents } from './event-store.ts'
import { findGroupChanges, type GroupedRow, toArrivals } from './group-store.ts'
import type { Outcome } from './outcome-store.ts'
import { regressGroups } from './regress-groups.ts'
import type { NewTag, TagIndex } from './tag-index.ts'
import { insertTags } from './tag-store.ts'

interface StoreResult {
  stored: Omit<Outcome, 'reason'>[]
  /** Events with the id of another event. */
  duplicates: (Outcome & { envelopeId: string })[]
  changes: GroupChange[]
  newTags: NewTag[]
  /** The groups with new events. */
  groups: StoredGroup[]
}

export interface StoredGroup {
  projectId: number
  groupId: number
}

/** A concurrent transaction stored one of the events first. Retry the transaction. */
export class EventConflict extends Error {
  override name = 'EventConflict'
}

export interface StoreContext {
  tagIndex: TagIndex
  ownerships: Ownerships
}

/** Stores new events and updates their groups. Runs in the caller's transaction. */
export async function storeEvents(
  em: EntityManager,
  events: StoredEvent[],
  at: Date,
  { tagIndex, ownerships }: StoreContext
): Promise<StoreResult> {
  if (events.length === 0) return { stored: [], duplicates: [], changes: [], newTags: [], groups: [] }
  const { fresh, replayed, duplicates } = classify(events, await findStoredEvents(em, events))
  // Duplicates must not create groups: such a group would have no events.
  const groups = await findOrCreateGroups(em, fresh)
  const grouped = withGroups(fresh, groups)
  const newTags = tagIndex.selectNew(grouped)
  const rows = await insertEvents(em, grouped)

  if (rows.reduce((sum, { items }) => sum + items, 0) < fresh.length) throw new EventConflict()
  await regressGroups(em, toArrivals(rows), at)
  await insertTags(em, newTags)
  const changes = await findGroupChanges(em, [...fresh, ...replayed], new Map([...groups, ...(await findGroupIds(em, replayed))]))

  // Only of fresh events: what people changed since is theirs.
  await assignOwners(em, changes, grouped, ownerships)

  return {
    stored: fresh.map(toStored),
    newTags,
    groups: rows.map(toGroup),
    duplicates: duplicates.map(toDuplicate),
    changes
  }
}

export function withGroups(events: StoredEvent[], groups: GroupIds) {
  return events.map(event => ({ ...event, groupId: groups.get(hashKey(event))! }))
}

/** Fresh events are not stored yet. Replayed ones were stored by the same envelope: its job runs again. All others are duplicates. */
function classify(events: StoredEvent[], stored: Map<string, string>) {
  const owners = new Map(stored)
  const fresh = new Map<string, StoredEvent>()
  const replayed = new Map<string, StoredEvent>()
  const duplicates: StoredEvent[] = []

  for (const event of events) {
    const key = eventKey(event)
    const owner = owners.get(key) ?? event.envelopeId
    const unique = stored.has(key) ? replayed : fresh

    owners.set(key, owner)
    if (owner === event.envelopeId && !unique.has(key)) unique.set(key, event)
    else duplicates.push(event)
  }

  return { fresh: [...fresh.values()], replayed: [...replayed.values()], duplicates }
}

function toGroup({ project_id: projectId, group_id: groupId }: GroupedRow): StoredGroup {
  return { projectId, groupId }
}

function toStored({ projectId, keyId, day }: StoredEvent) {
  return { projectId, keyId, day, category: 'error', items: 1 }
}

function toDuplicate({ envelopeId, projectId, keyId, day }: StoredEvent) {
  return { envelopeId, projectId, keyId, day, category: 'error', reason: 'duplicate', items: 1 }
}
