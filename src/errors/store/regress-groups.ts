import type { EntityManager } from '#platform/database/database.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { findFirstSeen } from '../releases/find-releases.ts'

/** The new events of one group in a batch. */
export interface GroupArrival {
  groupId: number
  projectId: number
  lastAt: Date
  releases: string[]
  /** The envelope of the earliest event. */
  envelopeId: string
}

/** Reopens resolved and ignored groups whose new events are a regression. The caller's transaction has locked their rows. */
export async function regressGroups(em: EntityManager, arrivals: GroupArrival[], at: Date) {
  const byGroup = new Map(arrivals.map(arrival => [arrival.groupId, arrival]))
  const groups = await em.find(ErrorGroup, { id: { $in: [...byGroup.keys()] }, status: { $ne: 'unresolved' } }, { refresh: true })
  const firstSeen = await findFirstSeen(
    em,
    groups.map(({ projectId }) => projectId)
  )

  for (const group of groups) {
    const arrival = byGroup.get(group.id)!

    if (group.isReopenedBy(arrival, release => firstSeen.get(`${group.projectId} ${release}`), at)) group.regress(arrival.envelopeId, at)
  }
  await em.flush()
}
