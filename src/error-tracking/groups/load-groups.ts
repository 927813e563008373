import type { EntityManager } from '../../platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { assignGroups, type Claim, type GroupIds, hashKey } from '../grouping/assign-groups.ts'
import { claimHashes, deleteGroups, findGroupIds, moveHashes } from '../grouping/hash-store.ts'

export { hashKey }

/**
 * The group of every event, by its `hashKey`: that of the first of its hashes which anybody knows, or a new one.
 * From then on all of its hashes are that group's.
 */
export async function findGroups(em: EntityManager, events: StoredEvent[]): Promise<GroupIds> {
  const known = await findGroupIds(em, events)
  const claims = assignGroups(events, known)

  if (claims.size === 0) return known
  const claimed = await claimHashes(em, [...claims.values()])

  return claimed.size === claims.size ? new Map([...known, ...claimed]) : settle(em, events, claims, claimed)
}

/**
 * Others were faster with some of the hashes, and theirs are committed by now. Where our events go is decided again,
 * as though those had been known from the start; what we claimed follows, and groups that nobody needs go away unseen.
 */
async function settle(em: EntityManager, events: StoredEvent[], claims: Map<string, Claim>, claimed: GroupIds) {
  const known = await findGroupIds(em, events)
  const others = new Map([...known].filter(([key]) => !claimed.has(key)))
  const settled: GroupIds = new Map(others)
  const moves = []

  for (const [key, claim] of assignGroups(events, others)) {
    const own = claimed.get(key)
    // Who still founds a group claimed all of its hashes.
    const group = typeof claim.group === 'number' ? claim.group : claimed.get(hashKey(claim.group))

    // Somebody removed a group in between; the next try finds none.
    if (own === undefined || group === undefined) throw new Error('a group went away while its events came in')
    settled.set(key, group)
    if (group !== own) moves.push({ ...claim, group })
  }
  await moveHashes(em, moves)
  await deleteGroups(em, abandoned(claims, claimed, settled))

  return settled
}

/** Of the groups that were just founded, those that no event goes to. */
function abandoned(claims: Map<string, Claim>, claimed: GroupIds, settled: GroupIds) {
  const kept = new Set(settled.values())
  const founded = [...claims].flatMap(([key, { group }]) => (typeof group === 'number' ? [] : (claimed.get(key) ?? [])))

  return [...new Set(founded)].filter(id => !kept.has(id))
}
