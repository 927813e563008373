import type { StoredEvent } from '../events/stored-event.ts'

/** Group ids by hash, as `hashKey` spells it. */
export type GroupIds = Map<string, number>

/** A hash that nobody knew, for a group that is there or for the one that an event founds. */
export interface Claim {
  projectId: number
  hash: Buffer
  group: number | StoredEvent
}

/**
 * Takes the events one by one: each goes where the first of its hashes belongs that is known by then, or founds a group,
 * and claims its other hashes for it.
 */
export function assignGroups(events: StoredEvent[], known: GroupIds) {
  const claims = new Map<string, Claim>()

  for (const event of events) {
    const keys = event.hashes.map(hash => hashKey(event, hash))
    const telling = keys.find(key => known.has(key) || claims.has(key))
    const group = telling === undefined ? event : (known.get(telling) ?? claims.get(telling)!.group)

    for (const [n, key] of keys.entries()) {
      if (!known.has(key) && !claims.has(key)) claims.set(key, { projectId: event.projectId, hash: event.hashes[n]!, group })
    }
  }

  return claims
}

/** A hash means something only within its project; that of an event is its first. */
export function hashKey({ projectId, hashes: [first] }: Pick<StoredEvent, 'projectId' | 'hashes'>, hash = first) {
  return `${projectId} ${hash.toString('latin1')}`
}
