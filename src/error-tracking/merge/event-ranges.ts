import { byteaArray } from '../../platform/database/database.ts'
import type { Move } from './move-events.ts'

/** Events looked at in one step: what a transaction does in a moment. */
export const step = 5000

/** The next events of the group that is left, and those among them that go: for both kinds of moves, with `walkParams`. */
export const walk = `
  seen AS MATERIALIZED (
    SELECT event_id, day, occurred_at, hash FROM error_events
    WHERE project_id = $1 AND group_id = $2 AND (occurred_at, event_id) < ($6::timestamptz, $7::uuid)
    ORDER BY occurred_at DESC, event_id DESC LIMIT ${step}
  ), moved AS (
    UPDATE error_events e SET group_id = $3 FROM seen
    WHERE e.project_id = $1 AND e.event_id = seen.event_id AND e.day = seen.day AND ($5::bytea[] IS NULL OR seen.hash = ANY ($5))
    RETURNING e.occurred_at, e.user_hash, e.release, e.environment
  ), reached AS (
    UPDATE error_moves SET moved = moved + (SELECT count(*) FROM moved), reached_at = last.occurred_at, reached_id = last.event_id
    FROM (SELECT occurred_at, event_id FROM seen ORDER BY 1, 2 LIMIT 1) AS last WHERE id = $4
  )`

export function walkParams({ id, projectId, fromId, toId, hashes, reached }: Move) {
  return [projectId, fromId, toId, id, hashes && byteaArray(hashes), ...reached]
}
