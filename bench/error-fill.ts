import { zstdCompressSync } from 'node:zlib'
import type pg from 'pg'

export const groups = 100_000
const days = 90
const chunk = 250_000

/** Payloads of about 200 bytes: lists do not read them, and ten million of 10 KB would fill the disk. */
const payloads = Array.from({ length: 50 }, (_, n) => {
  const frames = [{ function: `step${n}`, module: 'shop.orders', filename: 'orders.py', lineno: n, in_app: true }]

  return zstdCompressSync(JSON.stringify({ exception: { values: [{ type: 'Failure', value: `order ${n}`, stacktrace: { frames } }] } }))
})

/** Inserts 100,000 groups with first and last events within 90 days, and creates the partitions for their events. */
export async function fillGroups(db: pg.Pool, projectId: number) {
  await db.query(`DO $$ BEGIN FOR n IN 0..${days} LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS error_events_%s PARTITION OF error_events FOR VALUES FROM (%L) TO (%L)',
      to_char(now() - n * interval '1 day', 'YYYYMMDD'), (now() - n * interval '1 day')::date, (now() - (n - 1) * interval '1 day')::date);
  END LOOP; END $$`)
  await db.query(
    `INSERT INTO error_groups (project_id, name, description, actor, platform, level, status, first_seen_at, last_seen_at)
     SELECT $1, (ARRAY['TypeError', 'ValueError', 'TimeoutError', 'ConnectionRefused', 'NullPointerException'])[n % 5 + 1] || n % 97,
       'order ' || md5(n::text) || ' could not be placed: ' || repeat(md5((n % 1000)::text) || ' ', 3),
       'shop.' || (ARRAY['cart', 'orders', 'search', 'stock', 'mail'])[n % 5 + 1] || ' in step_' || n % 1009, 'python',
       (ARRAY['error', 'error', 'error', 'error', 'error', 'error', 'error', 'warning', 'fatal', 'info'])[n % 10 + 1],
       (ARRAY['unresolved', 'unresolved', 'unresolved', 'unresolved', 'unresolved', 'unresolved', 'unresolved', 'resolved', 'resolved',
         'ignored'])[n / 7 % 10 + 1],
       now() - since * interval '1 day', now() - since * (1 - power(random(), 2)) * interval '1 day'
     FROM (SELECT n, random() * ${days - 1} AS since FROM generate_series(1, ${groups}) n) n`,
    [projectId]
  )
}

/** Inserts events up to `to`: one per group, and tens of thousands for some. Then recomputes all counters. */
export async function fillEvents(db: pg.Pool, projectId: number, from: number, to: number) {
  let next = from
  const fillOn = async () => {
    while (next < to) {
      const at = next

      next = Math.min(at + chunk, to)
      await insertEvents(db, projectId, at, next)
    }
  }

  await Promise.all([fillOn(), fillOn()])
  await count(db, projectId)
}

async function insertEvents(db: pg.Pool, projectId: number, from: number, to: number) {
  await db.query(
    `WITH drawn AS MATERIALIZED (
       SELECT CASE WHEN n <= ${groups} THEN n ELSE floor(power(random(), 3) * ${groups})::int + 1 END AS number, random() AS share,
         random() AS draw, random() AS person, n
       FROM generate_series($2::int + 1, $3::int) n
     ), base AS (SELECT min(id) - 1 AS id FROM error_groups WHERE project_id = $1)
     INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, environment, release, platform,
       payload, user_hash, tags)
     SELECT $1, g.id, gen_random_uuid(), (occurred AT TIME ZONE 'UTC')::date, occurred, occurred, g.level, environment, release, 'python',
       ($4::bytea[])[n % 50 + 1], CASE WHEN person < 0.6 THEN floor(power(person, 2) * 100000) END,
       ARRAY['level=' || g.level, 'environment=' || environment, 'release=' || release, 'browser=Firefox ' || n % 9 + 130,
         'os=' || (ARRAY['Windows 10', 'macOS', 'Android 15', 'iOS 18'])[n % 4 + 1], 'url=https://shop.example.com/orders/' || n % 5000]
     FROM drawn, base, LATERAL (SELECT * FROM error_groups WHERE id = base.id + number) g,
       LATERAL (SELECT date_trunc('milliseconds', g.first_seen_at + share * (g.last_seen_at - g.first_seen_at)) AS occurred) at,
       LATERAL (SELECT 'shop@1.' || 90 - extract(day FROM now() - occurred)::int AS release,
         CASE WHEN draw < 0.0001 THEN 'canary' WHEN draw < 0.03 THEN 'qa' WHEN draw < 0.15 THEN 'staging' ELSE 'production' END AS environment) made`,
    [projectId, from, to, payloads]
  )
}

async function count(db: pg.Pool, projectId: number) {
  await db.query('TRUNCATE error_hourly_counts, error_users, error_releases CASCADE')
  // In the order in which they would have been counted.
  await db.query(
    `INSERT INTO error_hourly_counts
     SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC'), count(*) FROM error_events GROUP BY 1, 2, 3 ORDER BY 3`
  )
  await db.query('INSERT INTO error_users SELECT DISTINCT group_id, user_hash FROM error_events WHERE user_hash IS NOT NULL')
  await db.query(
    `INSERT INTO error_releases SELECT project_id, release, min(occurred_at), max(occurred_at) FROM error_events GROUP BY 1, 2`
  )
  await db.query(
    `UPDATE error_groups g SET events = e.events, first_seen_at = e.first, last_seen_at = e.last, environments = e.environments,
       releases = e.releases, users = (SELECT count(*) FROM error_users u WHERE u.group_id = g.id)
     FROM (SELECT group_id, count(*) AS events, min(occurred_at) AS first, max(occurred_at) AS last,
             array_agg(DISTINCT environment) AS environments, array_agg(DISTINCT release) AS releases
           FROM error_events WHERE project_id = $1 GROUP BY 1) e WHERE g.id = e.group_id`,
    [projectId]
  )
  await db.query('VACUUM (FULL, ANALYZE) error_groups')
  await db.query('VACUUM ANALYZE')
}
