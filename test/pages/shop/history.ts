import type pg from 'pg'

/** What a month leaves behind: counts by hour and by day, releases and their sessions. */
export async function writeHistory(pool: pg.Pool, projectId: number) {
  await addTasks(pool, projectId)
  for (const statement of statements) await pool.query(statement, [projectId])
}

/** Busier by day than by night, with a peak after the last release. */
const perHour = `(4 + 3 * sin(extract(hour FROM hour) / 3.8) + CASE WHEN hour > now() - interval '5 hours' THEN 14 ELSE 0 END)`

const statements = [
  `UPDATE error_groups SET first_seen_at = now() - (id % 9 + 2) * interval '3 days' - id * interval '7 minutes' WHERE project_id = $1 AND id % 4 <> 0`,
  `INSERT INTO error_hourly_counts (project_id, group_id, hour, events)
   SELECT project_id, id, hour, greatest(1, round(${perHour} * (1 + events) / 6)) FROM error_groups,
     generate_series(date_trunc('hour', now()) - interval '30 days', now() - interval '1 hour', interval '1 hour') hour
   WHERE project_id = $1 AND hour >= first_seen_at AND (id * 7 + extract(epoch FROM hour)::bigint / 3600) % 3 = 0
   ON CONFLICT DO NOTHING`,
  `UPDATE error_groups g SET events = t.events, users = greatest(g.users, t.events / 4)
   FROM (SELECT group_id, sum(events) AS events FROM error_hourly_counts GROUP BY 1) t WHERE t.group_id = g.id AND project_id = $1`,

  `INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
   SELECT $1, 'web-shop@3.' || n || '.0', now() - (16 - n) * interval '3 days' - interval '5 hours', now() FROM generate_series(8, 15) n
   ON CONFLICT (project_id, version) DO UPDATE SET first_seen_at = EXCLUDED.first_seen_at`,
  `UPDATE error_releases SET first_seen_at = now() - interval '4 days' WHERE project_id = $1 AND version = 'web-shop@3.14.1'`,
  `INSERT INTO error_feedback (project_id, envelope_id, position, event_id, name, email, comments, received_at, url, release, environment)
   SELECT $1, gen_random_uuid(), 0, (SELECT event_id FROM error_events WHERE project_id = $1 LIMIT 1), 'Ann Lee', 'ann@example.com',
     'I pressed Pay, and the page stayed white.' || chr(10) || 'The second time it worked.', now() - interval '40 minutes', 'https://shop.example/checkout', 'web-shop@3.15.0', 'production'
   UNION ALL SELECT $1, gen_random_uuid(), 0, NULL, '', '', 'Can you add a dark mode?', now() - interval '3 hours', 'https://shop.example/', '', 'production'`,
  `INSERT INTO monitors (project_id, slug, name, schedule, timezone) VALUES ($1, 'nightly-export', 'Nightly export', '{"type":"crontab","value":"0 3 * * *"}', 'Europe/Berlin'),
     ($1, 'queue', 'Queue of orders', '{"type":"interval","value":5,"unit":"minute"}', 'UTC')`,
  `INSERT INTO monitor_environments (monitor_id, environment, state, failures, runs, last_run_at, due_at)
   SELECT id, environment, CASE WHEN slug = 'queue' THEN 'failing' ELSE 'ok' END, CASE WHEN slug = 'queue' THEN 3 ELSE 0 END, 120, now() - interval '4 minutes',
     CASE WHEN slug = 'queue' THEN now() + interval '1 minute' ELSE (date_trunc('day', now() AT TIME ZONE 'Europe/Berlin' - interval '3 hours') + interval '27 hours') AT TIME ZONE 'Europe/Berlin' END
   FROM monitors, unnest('{production,staging}'::text[]) environment WHERE project_id = $1`,
  `INSERT INTO monitor_runs (environment_id, slot, run, check_in_id, status, started_at, duration_ms)
   SELECT e.id, n % 100, n, gen_random_uuid(), CASE WHEN n % 31 = 7 THEN 'missed' WHEN n % 41 = 3 OR (m.slug = 'queue' AND n > 117) THEN 'error' WHEN n = 60 THEN 'timeout' ELSE 'ok' END,
     now() - (121 - n) * interval '5 minutes', 40000 + n * 300 FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id, generate_series(21, 120) n WHERE m.project_id = $1`,
  `WITH monitor AS (INSERT INTO monitors (project_id, slug, name, kind, schedule, http) VALUES ($1, 'checkout', 'Checkout', 'http', '{"type":"interval","value":1,"unit":"minute"}',
     '{"url":"https://shop.example/checkout/health","method":"GET","expectedStatus":"2xx","bodyText":"ok","timeoutSeconds":10,"followsRedirects":true,"certificateDays":14,"headerNames":["Authorization"]}') RETURNING id),
   environment AS (INSERT INTO monitor_environments (monitor_id, environment, state, failures, runs, last_run_at, due_at)
     SELECT id, '', 'failing', 2, 120, now() - interval '40 seconds', now() + interval '90 seconds' FROM monitor RETURNING id)
   INSERT INTO monitor_runs (environment_id, slot, run, check_in_id, status, started_at, duration_ms, reason)
   SELECT id, n % 100, n, gen_random_uuid(), CASE WHEN reason IS NULL THEN 'ok' ELSE 'error' END, now() - (121 - n) * interval '1 minute', 120 + n * 7919 % 260 + CASE WHEN n = 115 THEN 9900 WHEN n % 23 = 0 THEN 900 ELSE 0 END, reason
   FROM environment, generate_series(21, 120) n,
     LATERAL (SELECT CASE WHEN n > 118 THEN '503 in place of 2xx' WHEN n = 115 THEN 'no answer within 10 s' WHEN n = 70 THEN 'body lacks “ok”' END AS reason) r`,
  `INSERT INTO error_sessions (project_id, hour, release, environment, started, exited, errored, crashed)
   SELECT r.project_id, hour, r.version, environment, 400 + n, 380, 9, 2 + n % 3 FROM error_releases r, unnest('{production,staging}'::text[]) environment,
     generate_series(0, 24 * 14) n, LATERAL (SELECT date_trunc('hour', now()) - n * interval '1 hour' AS hour) h
   WHERE r.project_id = $1 AND hour BETWEEN r.first_seen_at AND r.first_seen_at + interval '7 days'`,

  `INSERT INTO error_stored_counts (project_id, day, category, items)
   SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, category, 2400 + n * 37 % 900 FROM generate_series(0, 40) n, unnest('{error,session}'::text[]) category ON CONFLICT DO NOTHING`,
  `INSERT INTO error_dropped_counts (project_id, day, category, reason, items)
   SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, 'error', reason, 20 + n * 13 % 90
   FROM generate_series(0, 40) n, unnest('{quota,duplicate,filtered_legacy_browsers}'::text[]) reason ON CONFLICT DO NOTHING`,

  `INSERT INTO alerts (project_id, iid, kind, fingerprint, status, severity, title, service, environment, events, started_at, ended_at, payload, created_at, updated_at)
   SELECT $1, 100 + n, 'generic', 'old-' || n, 'resolved', (ARRAY['critical', 'high', 'medium', 'low']::alert_severity[])[n % 4 + 1],
     (ARRAY['Checkout answers slowly in eu-west', 'Queue of mails grows', 'web-3 does not answer'])[n % 3 + 1], 'checkout', 'production', n % 7 + 1,
     at, at + interval '25 minutes', '{}', at, at
   FROM generate_series(1, 40) n, LATERAL (SELECT now() - n * interval '8 hours' AS at) a`
]

/** Work that goes on, that failed, and that has finished. The project of the deletion is gone. */
async function addTasks(pool: pg.Pool, projectId: number) {
  await pool.query(
    `INSERT INTO tasks (kind, title, author_id, origin, project_id, params, state, done, total, started_at, leased_until, failure, finished_at)
     SELECT v.kind, v.title, u.id, '{}', v.project_id, '{}', v.state, v.done, v.total, now() - interval '1 minute', now() + interval '1 day', v.failure,
       CASE WHEN v.state = 'finished' THEN now() END
     FROM users u, (VALUES
       ('projects.purge', 'Deleting the data of Old shop', NULL, 'running', 4000, 12340, NULL),
       ('errors.change', 'Ignoring errors', $1::bigint, 'finished', 812, 812, NULL),
       ('errors.change', 'Assigning errors', $1, 'failed', 250, 1200, 'Assignee is not a member of the project.'),
       ('errors.change', 'Resolving errors', $1, 'running', 4000, 12340, NULL)
     ) AS v (kind, title, project_id, state, done, total, failure) WHERE u.username = 'root'`,
    [projectId]
  )
}
