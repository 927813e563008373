/**
 * Spike protection: of each minute, a project's first events are stored in full, up to ten times its usual rate and at
 * least 1,000. Events beyond that are accepted and counted (in their group, and by day as dropped for the reason
 * `spike`), but their payload is not stored. The next minute starts again from zero.
 *
 * The usual rate is the mean of the last seven complete days (UTC), or of fewer for a younger project. A project without
 * a complete day has no threshold. Intake decides, because it sees events when they arrive, and marks the envelope, so
 * that a batch that is processed again gives the same result.
 */
const factor = 10
const minThreshold = 1000

/** Complete days of a project's life, at most seven, and the events received in them; expects `client_keys k` in the query. */
export const baselineColumns = `
  (SELECT least(7, (now() AT TIME ZONE 'UTC')::date - (p.created_at AT TIME ZONE 'UTC')::date - 1)
   FROM projects p WHERE p.id = k.project_id) AS whole_days,
  (SELECT coalesce(sum(items), 0) FROM (
     SELECT items FROM error_stored_counts WHERE project_id = k.project_id AND category = 'error' AND ${isInLastWeek()}
     UNION ALL
     SELECT items FROM error_dropped_counts WHERE project_id = k.project_id AND category = 'error' AND ${isInLastWeek()}
   ) week)::bigint AS week_events`

export interface BaselineRow {
  whole_days: number | null
  week_events: number
}

/** Events of a minute that are stored in full; undefined without a baseline. */
export function spikeThreshold({ whole_days: days, week_events: events }: BaselineRow) {
  return days === null || days < 1 ? undefined : Math.max(minThreshold, Math.ceil((factor * events) / (days * 24 * 60)))
}

function isInLastWeek() {
  return `day >= (now() AT TIME ZONE 'UTC')::date - 7 AND day < (now() AT TIME ZONE 'UTC')::date`
}
