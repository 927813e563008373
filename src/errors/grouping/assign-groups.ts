import type { StoredEvent } from '../events/stored-event.ts'

/** Group ids by `hashKey`. */
export type GroupIds = Map<string, number>

/** A new hash for an existing group, or for the group that its event creates. */
export interface Claim {
  projectId: number
  hash: Buffer
  group: number | StoredEvent
}

/**
 * Assigns events to groups in order: the first known hash of an event decides its group; an event without one creates a
 * group. The event's other hashes are claimed for the same group, but not
 * those of the grouping version before, which would merge what the new rules tell apart.
 */
export function assignGroups(events: StoredEvent[], groupIds: GroupIds) {
  const claims = new Map<string, Claim>()

  for (const event of events) {
    const keys = event.hashes.map(hash => hashKey(event, hash))
    const previousKeys = event.previousHashes.map(hash => hashKey(event, hash))
    const knownKey = keys.find(key => groupIds.has(key) || claims.has(key)) ?? previousKeys.find(key => groupIds.has(key))
    const group = knownKey === undefined ? event : (groupIds.get(knownKey) ?? claims.get(knownKey)!.group)

    for (const [n, key] of keys.entries()) {
      if (!groupIds.has(key) && !claims.has(key)) claims.set(key, { projectId: event.projectId, hash: event.hashes[n]!, group })
    }
  }

  return claims
}

/** The key of a hash, by default the event's first: hashes are unique per project. */
export function hashKey({ projectId, hashes: [first] }: Pick<StoredEvent, 'projectId' | 'hashes'>, hash = first) {
  return `${projectId} ${hash.toString('latin1')}`
}
