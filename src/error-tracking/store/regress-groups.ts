import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Status } from '../groups/error-group.ts'
import { isNewer } from '../releases/release-order.ts'

/** What a batch brought to one group. */
export interface Arrival {
  groupId: number
  projectId: number
  lastAt: Date
  releases: string[]
  envelopeId: string
}

interface Settled {
  id: string
  status: Status
  resolved_at: string | null
  resolved_in: string | null
  is_resolved_in_next: boolean
  ignored_until: string | null
  ignored_until_events: string | null
  events: string
}

/**
 * Opens again what was settled and has come back. The rows are locked by
 * the batch's transaction, so that nobody resolves a group while an event is on its way into it.
 */
export async function regress(em: EntityManager, arrivals: Arrival[], at: Date) {
  const settled = await query<Settled>(
    em,
    `SELECT id, status, resolved_at, resolved_in, is_resolved_in_next, ignored_until, ignored_until_events, events
     FROM error_groups WHERE id = ANY ($1::bigint[]) AND status <> 'unresolved'`,
    [arrivals.map(({ groupId }) => groupId)]
  )

  if (settled.length === 0) return
  const firstSeen = await releasesOf(em, arrivals)
  const byId = new Map(arrivals.map(arrival => [arrival.groupId, arrival]))
  const back = settled.flatMap(group => {
    const arrival = byId.get(Number(group.id))!

    return hasComeBack(group, arrival, firstSeen, at) ? [arrival] : []
  })

  if (back.length > 0) await reopen(em, back, at)
}

async function reopen(em: EntityManager, back: Arrival[], at: Date) {
  await query(
    em,
    `UPDATE error_groups g SET status = 'unresolved', regressed_at = $3, regressed_by = b.envelope_id, resolved_at = NULL,
       resolved_in = NULL, is_resolved_in_next = false, ignored_until = NULL, ignored_until_events = NULL
     FROM unnest($1::bigint[], $2::uuid[]) AS b (id, envelope_id) WHERE g.id = b.id`,
    [back.map(({ groupId }) => groupId), back.map(({ envelopeId }) => envelopeId), at.toISOString()]
  )
}

function hasComeBack(group: Settled, { projectId, lastAt, releases }: Arrival, firstSeen: Map<string, number>, at: Date) {
  if (group.status === 'ignored') {
    if (group.ignored_until) return new Date(group.ignored_until) <= at
    return group.ignored_until_events !== null && Number(group.events) >= Number(group.ignored_until_events)
  }
  const { resolved_in: mended, resolved_at: resolvedAt } = group

  // No release was known yet: the next is the first there is.
  if (group.is_resolved_in_next && mended === null) return releases.length > 0
  if (mended === null) return resolvedAt === null || lastAt > new Date(resolvedAt)

  return releases.some(release => isNewer(release, mended, release => firstSeen.get(`${projectId} ${release}`)))
}

async function releasesOf(em: EntityManager, arrivals: Arrival[]) {
  const rows = await query<{ project_id: string; version: string; first_seen_at: string }>(
    em,
    'SELECT project_id, version, first_seen_at FROM error_releases WHERE project_id = ANY ($1::bigint[])',
    [[...new Set(arrivals.map(({ projectId }) => projectId))]]
  )

  return new Map(rows.map(row => [`${row.project_id} ${row.version}`, new Date(row.first_seen_at).getTime()]))
}
