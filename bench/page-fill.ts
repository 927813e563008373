import type pg from 'pg'
import { fillEvents, fillGroups } from './error-fill.ts'

const days = 90
const alerts = 20_000
const incidents = 5_000

/** Fills a project with 100,000 errors, their events, and what its pages show beside them. A filled project stays as it is. */
export async function fillPages(db: pg.Pool, projectId: number, events: number, print: (line: string) => void) {
  const { rows } = await db.query('SELECT count(*) AS filled FROM error_stored_counts WHERE project_id = $1', [projectId])

  if (Number(rows[0].filled) > 0) return
  print('groups …')
  await fillGroups(db, projectId)
  print('events …')
  await fillEvents(db, projectId, 0, events)
  print('tags, sessions, outcomes, alerts, incidents …')
  for (const statement of statements) await db.query(statement, [projectId])
  await db.query('VACUUM ANALYZE')
}

const statements = [
  `INSERT INTO error_tags (project_id, tag, group_id)
   SELECT project_id, tag, id FROM error_groups, LATERAL (
     SELECT 'level=' || level UNION ALL
     SELECT 'environment=' || unnest(environments) UNION ALL
     SELECT 'release=' || unnest(releases) UNION ALL
     SELECT 'browser=Firefox ' || 130 + n FROM generate_series(0, least(events, 9)::int - 1) n UNION ALL
     SELECT 'os=' || unnest((ARRAY['Windows 10', 'macOS', 'Android 15', 'iOS 18'])[1:least(events, 4)])
   ) tags (tag) WHERE project_id = $1`,

  `UPDATE error_groups SET regressed_at = last_seen_at WHERE project_id = $1 AND status = 'unresolved' AND id % 200 = 0`,
  `UPDATE error_groups SET assignee_id = (SELECT id FROM users WHERE username = 'root') WHERE project_id = $1 AND id % 500 = 0`,
  `UPDATE error_groups g SET first_release = r.first, last_release = r.last
   FROM (SELECT id, min(release) AS first, max(release) AS last FROM error_groups, unnest(releases) release GROUP BY 1) r
   WHERE g.id = r.id AND project_id = $1`,

  `INSERT INTO error_sessions (project_id, hour, release, environment, started, exited, errored, crashed)
   SELECT $1, hour, 'shop@1.' || 90 - extract(day FROM now() - hour)::int - older, environment, 1000, 950, 40, 10
   FROM generate_series(date_trunc('hour', now()) - interval '${days - 4} days', now(), interval '1 hour') hour, generate_series(0, 3) older,
     unnest('{production,staging,qa,canary}'::text[]) environment`,

  `INSERT INTO error_stored_counts (project_id, day, category, items)
   SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, category, 100000 + n FROM generate_series(0, ${days - 1}) n, unnest('{error,session,feedback}'::text[]) category`,
  `INSERT INTO error_dropped_counts (project_id, day, category, reason, items)
   SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, category, reason, 100 + n
   FROM generate_series(0, ${days - 1}) n, unnest('{error,session,attachment}'::text[]) category, unnest('{quota,spike,duplicate,invalid,too_large}'::text[]) reason`,

  `INSERT INTO alerts (project_id, iid, kind, fingerprint, status, severity, title, description, service, environment, hosts, events, started_at,
     ended_at, payload, created_at, updated_at)
   SELECT $1, n, 'generic', md5(n::text), status::alert_status, (ARRAY['critical', 'high', 'medium', 'low', 'info']::alert_severity[])[n % 5 + 1],
     'Latency of checkout ' || n % 300, 'The p99 is over two seconds.', 'checkout-' || n % 40, 'production', ARRAY['web-' || n % 20], n % 30 + 1,
     started, CASE status WHEN 'resolved' THEN started + interval '20 minutes' END, '{"title": "Latency"}', started, started
   FROM generate_series(1, ${alerts}) n, LATERAL (SELECT now() - (${alerts} - n) * interval '6 minutes') at (started),
     LATERAL (SELECT CASE n % 50 WHEN 0 THEN 'triggered' WHEN 1 THEN 'acknowledged' WHEN 2 THEN 'ignored' ELSE 'resolved' END) s (status)`,
  `INSERT INTO issues (project_id, iid, issue_type, state, title, description, severity, author_id, created_at)
   SELECT $1, n, 'incident', CASE n % 20 WHEN 0 THEN 'opened' ELSE 'closed' END, 'Checkout is slow in region ' || n, 'See the alert.',
     (ARRAY['critical', 'high', 'medium', 'low']::alert_severity[])[n % 4 + 1], (SELECT id FROM users WHERE username = 'root'),
     now() - (${incidents} - n) * interval '25 minutes'
   FROM generate_series(1, ${incidents}) n`
]
