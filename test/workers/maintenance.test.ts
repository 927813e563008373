import t from 'tap'
import { deleteExpired } from '#platform/database/jobs.ts'
import { eventually, openApp } from '../support/world.ts'

t.test('maintenance deletes expired rows and keeps the others', async t => {
  const { platform, work } = await openApp(t)
  const { pool, queues } = platform
  const count = async (table: string) => (await pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count

  await pool.query(`
    INSERT INTO sessions (user_id, token_hash, expires_at)
      SELECT id, '\\x01'::bytea, now() - interval '1 second' FROM users UNION ALL SELECT id, '\\x02'::bytea, now() + interval '1 hour' FROM users;
    INSERT INTO known_devices (user_id, token_hash, seen_at)
      SELECT id, '\\x01'::bytea, now() - interval '366 days' FROM users UNION ALL SELECT id, '\\x02'::bytea, now() - interval '364 days' FROM users;
    INSERT INTO receipts (job_id, results, created_at) VALUES ('old', '[]', now() - interval '11 minutes'), ('new', '[]', now());
    INSERT INTO processes (name, role, queues, host, pid, started_at, seen_at, metrics)
      SELECT seen, 'worker', '{}', 'host', 1, now(), now() - seen::interval, '' FROM unnest(ARRAY['25 hours', '23 hours']) AS seen`)

  await work('maintenance')
  for (const _twice of [1, 2]) {
    await queues.enqueue(deleteExpired, {})
    await eventually(async () => (await queues.get('maintenance').getJobCountByTypes('waiting', 'active', 'delayed')) === 0, 'it is done')
  }

  t.equal(await queues.get('maintenance').getFailedCount(), 0)
  for (const table of ['sessions', 'known_devices', 'receipts', 'processes']) t.equal(await count(table), 1, table)
})
