import { minSpike, spikeFactor } from '#errors/stats/spike.ts'
import type { OutboxKind } from '#outbox/outbox-entry.ts'
import { addRuleEntries } from '#outbox/outbox-store.ts'
import { type EntityManager, query } from '#platform/database/database.ts'

/** Groups that one evaluation looks at: the most recent ones of all projects. */
const maxGroups = 20_000
const longestWindowHours = 24

interface Found {
  project_id: number
  subject_id: number
  rule_id: number | null
  key: string
  events: number | null
  minutes: number | null
}

/**
 * Finds the errors that meet a condition of a rule that no single event decides: frequent, unseen or spiking ones. Runs every
 * minute; the keys of the outbox make that each is reported once for each window, so that running twice adds nothing.
 */
export async function evaluateConditions(em: EntityManager, at: Date) {
  await em.transactional(async em => {
    await sampleEvents(em, at)
    await report(em, 'error.frequent', await query<Found>(em, frequent, [at.toISOString()]))
    await report(em, 'error.unseen', await query<Found>(em, unseen, [at.toISOString()]))
    await report(em, 'error.users', await query<Found>(em, affecting, [at.toISOString()]))
    await report(em, 'release.unhealthy', await query<Found>(em, unhealthy, [at.toISOString()]))
    await report(em, 'error.spike', await query<Found>(em, spiking, [at.toISOString()]))
  })
}

function report(em: EntityManager, kind: OutboxKind, found: Found[]) {
  return addRuleEntries(
    em,
    found.map(({ project_id, subject_id, rule_id, key, events, minutes }) => ({
      kind,
      projectId: project_id,
      subjectId: subject_id,
      key,
      data: {
        ...(rule_id !== null && { ruleId: rule_id }),
        ...(events !== null && { events }),
        ...(minutes !== null && { minutes })
      }
    }))
  )
}

/** Writes down how many events and users the groups have that received some in the last minutes: neither is counted by the minute elsewhere. */
async function sampleEvents(em: EntityManager, at: Date) {
  await query(em, `DELETE FROM error_samples WHERE minute < $1::timestamptz - interval '${longestWindowHours + 1} hours'`, [
    at.toISOString()
  ])
  await query(
    em,
    `INSERT INTO error_samples (group_id, minute, events, users)
     SELECT g.id, date_trunc('minute', $1::timestamptz), g.events, g.users FROM error_groups g
     WHERE g.last_seen_at > $1::timestamptz - interval '2 minutes' AND g.project_id IN (
       SELECT project_id FROM notification_rules WHERE is_active AND triggers && ARRAY['error.frequent', 'error.users'])
     ORDER BY g.last_seen_at DESC LIMIT ${maxGroups}
     ON CONFLICT DO NOTHING`,
    [at.toISOString()]
  )
}

/** The events of a window: all since its last sample before it, or since the first sample in it. New groups began with none. */
const frequent = `
  SELECT g.project_id, g.id AS subject_id, r.id AS rule_id, w.events, r.threshold_minutes AS minutes,
    'error-' || g.id || '-frequent-' || r.id || '-' || floor(extract(epoch FROM $1::timestamptz) / (r.threshold_minutes * 60)) AS key
  FROM notification_rules r
  JOIN error_groups g ON g.project_id = r.project_id AND g.status = 'unresolved' AND g.merged_into IS NULL
    AND g.last_seen_at > $1::timestamptz - interval '2 minutes'
  CROSS JOIN LATERAL (
    SELECT $1::timestamptz - make_interval(mins => r.threshold_minutes) AS start
  ) s
  CROSS JOIN LATERAL (
    SELECT g.events - coalesce(
      (SELECT e.events FROM error_samples e WHERE e.group_id = g.id AND e.minute <= s.start ORDER BY e.minute DESC LIMIT 1),
      CASE WHEN g.first_seen_at >= s.start THEN 0 END,
      (SELECT e.events FROM error_samples e WHERE e.group_id = g.id ORDER BY e.minute LIMIT 1),
      g.events) AS events
  ) w
  WHERE r.is_active AND 'error.frequent' = ANY (r.triggers) AND w.events > r.threshold_events
  LIMIT ${maxGroups}`

/** The users of an hour, by the same samples. */
const affecting = `
  SELECT g.project_id, g.id AS subject_id, r.id AS rule_id, NULL AS events, 60 AS minutes,
    'error-' || g.id || '-users-' || r.id || '-' || floor(extract(epoch FROM $1::timestamptz) / 3600) AS key
  FROM notification_rules r
  JOIN error_groups g ON g.project_id = r.project_id AND g.status = 'unresolved' AND g.merged_into IS NULL
    AND g.last_seen_at > $1::timestamptz - interval '2 minutes' AND g.users > r.threshold_users
  CROSS JOIN LATERAL (
    SELECT g.users - coalesce(
      (SELECT e.users FROM error_samples e WHERE e.group_id = g.id AND e.minute <= $1::timestamptz - interval '1 hour' ORDER BY e.minute DESC LIMIT 1),
      CASE WHEN g.first_seen_at >= $1::timestamptz - interval '1 hour' THEN 0 END,
      (SELECT e.users FROM error_samples e WHERE e.group_id = g.id AND e.users IS NOT NULL ORDER BY e.minute LIMIT 1),
      g.users) AS users
  ) w
  WHERE r.is_active AND 'error.users' = ANY (r.triggers) AND w.users > r.threshold_users
  LIMIT ${maxGroups}`

/** Fewer sessions say little. */
const minSessions = 50

/** Of the sessions of this hour and the one before. A release is reported once a day. */
const unhealthy = `
  SELECT s.project_id, l.id AS subject_id, r.id AS rule_id, NULL AS events, NULL::int AS minutes,
    'release-' || l.id || '-unhealthy-' || r.id || '-' || to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS key
  FROM (SELECT project_id, release, sum(started) AS started, sum(crashed) AS crashed FROM error_sessions
    WHERE hour >= date_trunc('hour', $1::timestamptz, 'UTC') - interval '1 hour'
      AND project_id IN (SELECT project_id FROM notification_rules WHERE is_active AND 'release.unhealthy' = ANY (triggers))
    GROUP BY project_id, release HAVING sum(started) >= ${minSessions}) s
  JOIN error_releases l ON l.project_id = s.project_id AND l.version = s.release AND NOT l.is_archived
  JOIN notification_rules r ON r.project_id = s.project_id AND r.is_active AND 'release.unhealthy' = ANY (r.triggers)
    AND 100 * (1 - least(1, s.crashed::float8 / s.started)) < r.crash_free_percent
  LIMIT ${maxGroups}`

/** Since an error is new or came back. Only those that became due within the last day: a new rule does not report old errors. */
const unseen = `
  SELECT g.project_id, g.id AS subject_id, r.id AS rule_id, NULL AS events, NULL::int AS minutes,
    'error-' || g.id || '-unseen-' || r.id || '-' || extract(epoch FROM s.since)::bigint AS key
  FROM notification_rules r
  JOIN error_groups g ON g.project_id = r.project_id AND g.status = 'unresolved' AND g.merged_into IS NULL AND g.assignee_id IS NULL
    AND g.assignee_group_id IS NULL
  CROSS JOIN LATERAL (SELECT greatest(g.first_seen_at, g.regressed_at) AS since) s
  WHERE r.is_active AND 'error.unseen' = ANY (r.triggers)
    AND s.since <= $1::timestamptz - make_interval(hours => r.unseen_hours)
    AND s.since > $1::timestamptz - make_interval(hours => r.unseen_hours) - interval '1 day'
    AND s.since > r.created_at - make_interval(hours => r.unseen_hours)
    AND NOT EXISTS (SELECT FROM error_comments c WHERE c.group_id = g.id AND c.created_at > s.since)
  LIMIT ${maxGroups}`

/** The same definition as `isSpiking`: the current hour against the peak of the 23 hours before. */
const spiking = `
  SELECT t.project_id, t.group_id AS subject_id, NULL AS rule_id, t.events, 60 AS minutes,
    'error-' || t.group_id || '-spike-' || extract(epoch FROM t.hour)::bigint AS key
  FROM error_hourly_counts t
  JOIN error_groups g ON g.id = t.group_id AND g.status = 'unresolved' AND g.merged_into IS NULL
  WHERE t.hour = date_trunc('hour', $1::timestamptz, 'UTC') AND t.events >= ${minSpike}
    AND t.project_id IN (SELECT project_id FROM notification_rules WHERE is_active AND 'error.spike' = ANY (triggers))
    AND t.events > ${spikeFactor} * (
      SELECT max(p.events) FROM error_hourly_counts p
      WHERE p.project_id = t.project_id AND p.group_id = t.group_id AND p.hour >= t.hour - interval '23 hours' AND p.hour < t.hour)
  LIMIT ${maxGroups}`
