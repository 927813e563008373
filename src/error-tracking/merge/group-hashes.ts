import { type EntityManager, query } from '../../platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { lotsOf } from './move-chunks.ts'

/** Of a group's events the latest so many are looked at: more would take a moment too long for somebody who waits. */
export const looked = 50_000

export interface HashRow {
  hash: Buffer
  events: string
  latest_event: string | null
  latest_at: string | null
}

/** The hashes of a group, those with the most events first, each with what its own events tell. */
export async function listHashes(em: EntityManager, group: ErrorGroup, limit: number, offset: number) {
  return query<HashRow>(
    em,
    `WITH latest AS (
       SELECT e.* FROM unnest($2::bigint[]) AS lot (id) CROSS JOIN LATERAL (
         SELECT hash, event_id, occurred_at FROM error_events WHERE project_id = $1 AND group_id = lot.id
         ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
       ) AS e ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
     ), counted AS (
       SELECT hash, count(*) AS events, (array_agg(event_id ORDER BY occurred_at DESC))[1] AS latest_event, max(occurred_at) AS latest_at
       FROM latest GROUP BY hash
     )
     SELECT h.hash, coalesce(c.events, 0) AS events, c.latest_event, c.latest_at
     FROM error_hashes h LEFT JOIN counted c USING (hash)
     WHERE h.group_id = $3 ORDER BY 2 DESC, h.hash LIMIT $4 OFFSET $5`,
    [group.projectId, await lotsOf(em, group), group.id, limit, offset]
  )
}

export async function countHashes(em: EntityManager, { id }: ErrorGroup, most: number) {
  const [row] = await query<{ count: string }>(
    em,
    `SELECT count(*) FROM (SELECT FROM error_hashes WHERE group_id = $1 LIMIT ${most}) AS counted`,
    [id]
  )

  return Number(row!.count)
}
