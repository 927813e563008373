import type { EntityManager } from '#platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { assignGroups, type Claim, type GroupIds, hashKey } from '../grouping/assign-groups.ts'
import { claimHashes, deleteGroups, findGroupIds, moveHashes } from '../grouping/hash-store.ts'
import { addPlaces } from './place-store.ts'

/** Group ids by `hashKey`. An event belongs to the group of its first known hash, or to a new one, which then gets all its hashes. */
export async function findOrCreateGroups(em: EntityManager, events: StoredEvent[]): Promise<GroupIds> {
  const existing = await findGroupIds(em, events)
  const claims = assignGroups(events, existing)

  if (claims.size === 0) return existing
  const claimed = await claimHashes(em, [...claims.values()])
  const groups = claimed.size === claims.size ? new Map([...existing, ...claimed]) : await reassign(em, events, claims, claimed)
  const makers = new Set([...claims.values()].flatMap(({ group }) => (typeof group === 'number' ? [] : group)))

  await addPlaces(
    em,
    [...makers].map(event => ({ event, groupId: groups.get(hashKey(event))! }))
  )

  return groups
}

/**
 * Concurrent transactions claimed some hashes first and have committed. Assigns the events again with those hashes known,
 * moves the hashes claimed here, and deletes new groups that are left without events.
 */
async function reassign(em: EntityManager, events: StoredEvent[], claims: Map<string, Claim>, claimed: GroupIds) {
  const existing = new Map([...(await findGroupIds(em, events))].filter(([key]) => !claimed.has(key)))
  const groups: GroupIds = new Map(existing)
  const moves = []

  for (const [key, claim] of assignGroups(events, existing)) {
    const previous = claimed.get(key)
    // An event that still creates a group claimed all of its hashes.
    const group = typeof claim.group === 'number' ? claim.group : claimed.get(hashKey(claim.group))

    // The job's retry no longer finds the group.
    if (previous === undefined || group === undefined) throw new Error('a group was deleted while events were assigned to it')
    groups.set(key, group)
    if (group !== previous) moves.push({ ...claim, group })
  }
  await moveHashes(em, moves)
  await deleteGroups(em, createdWithoutEvents(claims, claimed, groups))

  return groups
}

function createdWithoutEvents(claims: Map<string, Claim>, claimed: GroupIds, groups: GroupIds) {
  const used = new Set(groups.values())
  const created = [...claims].flatMap(([key, { group }]) => (typeof group === 'number' ? [] : (claimed.get(key) ?? [])))

  return [...new Set(created)].filter(id => !used.has(id))
}
