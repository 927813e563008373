import t, { type Test } from 'tap'
import { expireErrors } from '#errors/jobs.ts'
import { createPartition, deleteExpiredPartitions } from '#errors/store/partition-store.ts'
import { deleteExpiredErrors } from '#errors/store/retention-store.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const dayMs = 24 * 3600 * 1000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const partition = (ago: number) => `error_events_${day(ago).replaceAll('-', '')}`

/** A project with an event on each of some days. */
async function openOldProject(t: Test, ...ages: number[]) {
  const made = await openProject(t)
  const { platform, project } = made
  const { pool } = platform
  const addEvents = async (projectId: number, ...ages: number[]) => {
    for (const ago of ages) {
      await createPartition(platform.fork(), day(ago))
      await pool.query(
        `INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, payload)
         VALUES ($1, 1, gen_random_uuid(), $2, now(), now(), 'error', '')`,
        [projectId, day(ago)]
      )
    }
  }
  const ageOfEvents = async (projectId = project.id) => {
    const { rows } = await pool.query(
      `SELECT (now() AT TIME ZONE 'UTC')::date - day AS age FROM error_events WHERE project_id = $1 ORDER BY 1`,
      [projectId]
    )
    return rows.map(({ age }) => age)
  }
  const hasTable = async (name: string) => (await pool.query('SELECT to_regclass($1) AS oid', [name])).rows[0].oid !== null

  await addEvents(project.id, ...ages)

  return { ...made, pool, addEvents, ageOfEvents, hasTable }
}

t.test('partitions older than the retention are dropped, younger ones are not', async t => {
  const { platform, ageOfEvents, hasTable } = await openOldProject(t, 0, 29, 30, 31, 60)

  for (const _twice of [1, 2]) await deleteExpiredPartitions(platform.fork(), 30, new Date())
  t.same(await ageOfEvents(), [0, 29, 30])
  t.notOk(await hasTable(partition(31)))
  t.notOk(await hasTable(partition(60)))
})

t.test('a long read blocks neither the drop of a partition nor intake', async t => {
  const { platform, pool, send, untilStored, hasTable, ageOfEvents } = await openOldProject(t, 40, 41)
  const reader = await pool.connect()

  await send(anEnvelope(anException()))
  await untilStored(1)
  await reader.query('BEGIN')
  await reader.query('SELECT count(*) FROM error_events')
  let isOver = false
  const dropping = deleteExpiredPartitions(platform.fork(), 30, new Date(), 4000).then(() => {
    isOver = true
  })

  await eventually(
    async () =>
      (await pool.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%CONCURRENTLY%'`)).rowCount,
    'the drop waits'
  )
  for (let n = 2; n <= 4; n++) {
    await send(anEnvelope(anException()))
    await untilStored(n)
  }
  t.notOk(isOver, 'all of it while the drop waited')
  await dropping
  t.ok(await hasTable(partition(41)), 'which gave up')
  await reader.query('COMMIT')
  reader.release()

  await eventually(async () => {
    // On a busy machine a run may give up once more.
    await deleteExpiredPartitions(platform.fork(), 30, new Date())

    return !(await hasTable(partition(41)))
  }, 'and was ended later')
  await eventually(async () => {
    await deleteExpiredPartitions(platform.fork(), 30, new Date())

    return !(await hasTable(partition(40)))
  }, 'and so was the other')
  t.same(await ageOfEvents(), [0, 0, 0, 0])
})

t.test('a partition that a crashed process detached is dropped', async t => {
  const { platform, pool, hasTable } = await openOldProject(t, 50)

  await pool.query(`ALTER TABLE error_events DETACH PARTITION ${partition(50)}`)
  await deleteExpiredPartitions(platform.fork(), 30, new Date())
  t.notOk(await hasTable(partition(50)))
})

t.test('a project may keep its events, files and feedback for fewer days than others', async t => {
  const { pool, platform, project, call, path, addEvents, ageOfEvents, work } = await openOldProject(t, 0, 6, 7, 8, 20)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const addFiles = (projectId: number) =>
    pool.query(
      `WITH ages AS (SELECT unnest(ARRAY[0, 8, 20]) AS age), files AS (
         INSERT INTO error_attachments (project_id, envelope_id, position, filename, size, content, received_at)
         SELECT $1, gen_random_uuid(), 0, 'f', 0, '', now() - age * interval '1 day' FROM ages
       )
       INSERT INTO error_feedback (project_id, envelope_id, position, name, email, comments, received_at)
       SELECT $1, gen_random_uuid(), 0, '', '', '', now() - age * interval '1 day' FROM ages`,
      [projectId]
    )
  const count = async (table: string, projectId: number) =>
    (await pool.query(`SELECT count(*)::int FROM ${table} WHERE project_id = $1`, [projectId])).rows[0].count

  await addEvents(other.id, 0, 20)
  // More than fit in a step.
  await pool.query(
    `INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, payload)
     SELECT $1, 1, gen_random_uuid(), $2, now(), now(), 'error', '' FROM generate_series(1, 2500)`,
    [project.id, day(20)]
  )
  await addFiles(project.id)
  await addFiles(other.id)
  await call('PATCH', `${path}/settings`, { active: true, retention_days: 7 })
  await work('maintenance')
  await platform.queues.enqueue(expireErrors, {})
  await eventually(async () => (await ageOfEvents()).length === 3, 'its old events are gone')
  await eventually(async () => (await count('error_feedback', project.id)) === 1, 'all else is as well')

  t.same(await ageOfEvents(), [0, 6, 7])
  t.equal(await count('error_attachments', project.id), 1)
  t.same(await ageOfEvents(other.id), [0, 20])
  for (const table of ['error_attachments', 'error_feedback']) t.equal(await count(table, other.id), 3)
})

t.test('every other table deletes rows past their retention', async t => {
  const { pool, platform, project } = await openOldProject(t)
  const at = new Date()
  const ago = (days: number) => new Date(at.getTime() - days * dayMs).toISOString()
  /** Tables with the days for which they keep a row. */
  const tables: Record<string, [days: number, columns: string, values: string]> = {
    error_attachments: [
      60,
      'project_id, envelope_id, position, filename, size, content, received_at',
      `$2, gen_random_uuid(), 0, 'f', 0, '', $1`
    ],
    error_feedback: [
      60,
      'project_id, envelope_id, position, name, email, comments, received_at',
      `$2, gen_random_uuid(), 0, '', '', '', $1`
    ],
    error_hourly_counts: [90, 'hour, project_id, group_id, events', '$1, $2, 1, 1'],
    error_sessions: [90, 'hour, project_id, release, environment', `$1, $2, 'r', 'e'`],
    error_session_states: [7, 'started_at, project_id, session_id, state, is_errored, seq', `$1, $2, gen_random_uuid(), 'ok', false, 0`],
    error_drop_marks: [2, 'counted_at, envelope_id', '$1, coalesce(NULLIF($2::text, $2::text)::uuid, gen_random_uuid())'],
    error_failures: [31, 'day, project_id, envelope_id', '$1, $2, gen_random_uuid()'],
    error_dropped_counts: [400, 'day, project_id, category, reason, items', `$1, $2, 'c', 'r', 1`],
    error_client_discards: [400, 'day, project_id, category, reason, items', `$1, $2, 'c', 'r', 1`],
    error_stored_counts: [400, 'day, project_id, category, items', `$1, $2, 'c', 1`],
    error_usage: [1 / 24, 'subject, minute, events', `$2::text, floor(extract(epoch FROM $1::timestamptz) / 60), 1`]
  }

  for (const [table, [days, columns, values]] of Object.entries(tables)) {
    await pool.query(`INSERT INTO ${table} (${columns}) SELECT ${values}`, [ago(days * 0.9), project.id])
    // A day more, where days are all there is.
    await pool.query(`INSERT INTO ${table} (${columns}) SELECT ${values}`, [ago(days * 1.1 + 1), project.id])
  }
  await pool.query(
    `WITH made AS (
       INSERT INTO error_groups (project_id, name, description, actor, level, first_seen_at, last_seen_at)
       SELECT $1, '', '', '', 'error', seen, seen FROM unnest($2::timestamptz[]) seen RETURNING id
     ) INSERT INTO error_users (group_id, user_hash) SELECT id, n FROM made, generate_series(1, 3) n`,
    [project.id, [ago(59), ago(61)]]
  )
  await pool.query(
    `INSERT INTO error_tags (project_id, tag, group_id, seen_on) SELECT project_id, 'a=b', id, last_seen_at::date FROM error_groups`
  )
  await pool.query(
    `INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
     SELECT $1, n::text, to_timestamp(n), now() FROM generate_series(1, 1002) n`,
    [project.id]
  )

  for (const _twice of [1, 2]) await deleteExpiredErrors(platform.fork(), 60, at, new AbortController().signal)

  for (const table of Object.keys(tables)) t.equal((await pool.query(`SELECT 1 FROM ${table}`)).rowCount, 1, table)
  t.equal((await pool.query('SELECT 1 FROM error_users')).rowCount, 3, 'error_users')
  t.equal((await pool.query('SELECT 1 FROM error_tags')).rowCount, 1, 'error_tags')
  t.same((await pool.query('SELECT count(*)::int, min(version::int) FROM error_releases')).rows, [{ count: 1000, min: 3 }])
})
