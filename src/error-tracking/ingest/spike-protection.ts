import type { CachedKey } from './authenticate-key.ts'
import type { Ledger } from './outcome-counters.ts'

/**
 * Spike protection. Of each minute, the first events are kept whole: ten times as many as the project usually sends in one,
 * and 1,000 in any case. What comes beyond them is taken all the same and counted, in its error and by day (as dropped, for
 * the reason `spike`), but its payload is not kept. With the next minute it begins anew, so nobody has to end it.
 *
 * Usual is the mean of the seven whole days (UTC) before today, or of as many as the project has. In its first ones it has
 * none, and nothing is a spike yet. It is decided at the door, which sees events when they come and not when their turn
 * has come, and told to the worker with the envelope, for whom a batch that is worked again must come out the same.
 */
const times = 10
const floor = 1000

/** Whole days in the life of a project, seven at most, and the events that came in them; beside `client_keys k`. */
export const baselineColumns = `
  (SELECT least(7, (now() AT TIME ZONE 'UTC')::date - (p.created_at AT TIME ZONE 'UTC')::date - 1)
   FROM projects p WHERE p.id = k.project_id) AS whole_days,
  (SELECT coalesce(sum(items), 0) FROM (
     SELECT items FROM error_keeps WHERE project_id = k.project_id AND category = 'error' AND ${isInLastWeek()}
     UNION ALL
     SELECT items FROM error_drops WHERE project_id = k.project_id AND category = 'error' AND ${isInLastWeek()}
   ) week)::bigint AS week_events`

export interface BaselineRow {
  whole_days: number | null
  week_events: number
}

/** How many events of a minute are kept; nothing when there is no telling. */
export function spikeThreshold({ whole_days: days, week_events: events }: BaselineRow) {
  return days === null || days < 1 ? undefined : Math.max(floor, Math.ceil((times * events) / (days * 24 * 60)))
}

export function isSpike(ledger: Ledger, { projectId, spikeThreshold: spikeFrom }: CachedKey) {
  return spikeFrom !== undefined && ledger.used(`project ${projectId}`) >= spikeFrom
}

function isInLastWeek() {
  return `day >= (now() AT TIME ZONE 'UTC')::date - 7 AND day < (now() AT TIME ZONE 'UTC')::date`
}
