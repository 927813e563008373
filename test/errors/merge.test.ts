import t from 'tap'
import { lockProjectsShared } from '#errors/merge/lock-store.ts'
import { finishMoves } from '#errors/merge/move-events.ts'
import { anEnvelope, anException, type EventLike, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends } from '../support/world.ts'

const hour = 3600_000
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * hour).toISOString()

/** An event of one of several errors and users, some hours ago. */
function openError(type: string, user: string, hoursAgo: number, more: object = {}): EventLike {
  return { ...anException(type), user: { id: user }, timestamp: at(hoursAgo), ...more }
}

async function withErrors(t: Parameters<typeof openProject>[0], events: EventLike[], options = {}) {
  const world = await openProject(t, options)
  const { call, path, platform, project } = world

  for (const event of events) await world.send(anEnvelope(event))
  const errors = await world.untilStored(events.length)
  const id = (name: string): number => errors.find((error: { name: string }) => error.name.startsWith(name)).fingerprint
  const show = async (fingerprint: number) => (await call('GET', `${path}/errors/${fingerprint}`)).body
  const eventsOf = async (fingerprint: number) => (await call('GET', `${path}/errors/${fingerprint}/events?per_page=100`)).body
  const hashesOf = async (fingerprint: number): Promise<{ hash: string; event_count: number }[]> =>
    (await call('GET', `${path}/errors/${fingerprint}/hashes`)).body
  const tallies = async (fingerprint: number) =>
    (await platform.pool.query('SELECT events FROM error_hourly_counts WHERE group_id = $1 ORDER BY hour', [fingerprint])).rows.map(
      row => row.events
    )
  const merge = (into: number, ...fingerprints: number[]) => call('POST', `${path}/errors/${into}/merge`, { fingerprints })
  const unmerge = (from: number, ...hashes: string[]) => call('POST', `${path}/errors/${from}/unmerge`, { hashes })

  return { ...world, id, show, eventsOf, hashesOf, tallies, merge, unmerge, projectId: project.id as number }
}

t.test('merged errors share events, counts and comments, and the old id redirects', async t => {
  const { call, path, id, errors, show, eventsOf, hashesOf, tallies, merge, send, untilStored } = await withErrors(t, [
    openError('One', 'ann', 1, { release: 'shop@2', environment: 'live' }),
    openError('One', 'bob', 2),
    openError('Two', 'ann', 5, { release: 'shop@1', environment: 'test' }),
    openError('Two', 'cleo', 0.1, { release: 'shop@3' })
  ])
  const [one, two] = [id('One'), id('Two')]

  await call('POST', `${path}/errors/${two}/comments`, { body: 'The same as the other?' })
  const before = await show(two)
  hasExactly(t, await merge(one, two), {
    status: 201,
    body: { fingerprint: one, event_count: 4, approximated_user_count: 3, first_release: 'shop@1', environments: ['live', 'test'] }
  })
  const after = await show(one)
  t.hasStrict(after, { first_seen_at: before.first_seen_at, last_seen_at: before.last_seen_at, last_release: 'shop@3' })
  t.notOk(after.regrouping, 'nothing is on its way')
  t.same(await tallies(two), [])
  t.equal(
    (await tallies(one)).reduce((sum, events) => sum + events),
    4
  )
  t.equal((await eventsOf(one)).length, 4)
  t.equal((await hashesOf(one)).length, 2)
  t.same(
    (await errors()).map((error: { fingerprint: number }) => error.fingerprint),
    [one]
  )
  t.equal((await call('GET', `${path}/errors/${one}/comments`)).body.length, 1)

  t.hasStrict(await call('GET', `${path}/errors/${two}`), { status: 200, body: { fingerprint: one } }, 'the old id leads there')
  t.hasStrict(await call('PUT', `${path}/errors/${two}`, { status: 'resolved' }), {
    status: 200,
    body: { fingerprint: one, status: 'resolved' }
  })
  t.hasStrict(await merge(one, two), { status: 201, body: { event_count: 4 } }, 'twice is once')
  t.hasStrict(await merge(two, one), { status: 201, body: { fingerprint: one, event_count: 4 } }, 'and so it is the other way round')
  hasExactly(t, await merge(one, 999_999), { status: 400, body: { message: { fingerprints: ['999999 not found in this project'] } } })

  await call('PUT', `${path}/errors/${one}`, { status: 'unresolved' })
  await send(anEnvelope(openError('Two', 'dora', 0)))
  await untilStored(5)
  t.hasStrict(await show(one), { event_count: 5, approximated_user_count: 4 }, 'new events of either come here')

  await send(anEnvelope(openError('Three', 'ann', 0)))
  const three = (await untilStored(6)).find((error: { name: string }) => error.name.startsWith('Three')).fingerprint
  await merge(three, one)
  t.hasStrict(await show(two), { fingerprint: three, event_count: 6 }, 'and an id leads on')
})

t.test('unmerging moves hashes and their events to another error', async t => {
  const events = [
    openError('One', 'ann', 1),
    openError('One', 'bob', 30),
    openError('Two', 'ann', 5, { release: 'shop@1' }),
    openError('Two', 'cleo', 40)
  ]
  const { call, id, show, eventsOf, hashesOf, tallies, merge, unmerge, send, untilStored, path } = await withErrors(t, events)
  const [one, two] = [id('One'), id('Two')]
  const [hash] = await hashesOf(two)
  const before = { one: await show(one), two: await show(two) }

  await merge(one, two)
  t.equal((await hashesOf(one)).length, 2)
  t.match(await hashesOf(one), [{ event_count: 2, latest_event_id: /^[0-9a-f]{32}$/, latest_event_at: String }, { event_count: 2 }])
  t.match(await unmerge(one, ...(await hashesOf(one)).map(({ hash }) => hash)), { status: 400, body: { message: { hashes: Array } } })
  hasExactly(t, await unmerge(one, '0'.repeat(40)), { status: 400, body: { message: { hashes: ['are not all hashes of this error'] } } })
  t.hasStrict(await unmerge(one, 'short'), { status: 400 })
  const { status, body: split } = await unmerge(one, hash!.hash)

  t.equal(status, 201)
  t.not(split.fingerprint, two)
  const counted = ['name', 'event_count', 'approximated_user_count', 'first_seen_at', 'last_seen_at', 'first_release'] as const
  for (const member of counted) {
    t.same(split[member], before.two[member], `split: ${member}`)
    if (member !== 'first_release') t.same((await show(one))[member], before.one[member], `left: ${member}`)
  }
  t.same(await tallies(one), [1, 1])
  t.same(await tallies(split.fingerprint), [1, 1])
  t.same([(await eventsOf(one)).length, (await eventsOf(split.fingerprint)).length], [2, 2])
  t.same(await hashesOf(split.fingerprint), [hash])

  await send(anEnvelope(openError('Two', 'dora', 0)))
  await untilStored(5)
  t.hasStrict(await show(split.fingerprint), { event_count: 3, approximated_user_count: 3 })
  t.hasStrict(await call('GET', `${path}/errors/${one}`), { body: { event_count: 2 } })
})

t.test('counts include events that retention has deleted', async t => {
  const { id, show, hashesOf, merge, unmerge, platform } = await withErrors(t, [openError('One', 'ann', 1), openError('Two', 'bob', 5)])
  const [one, two] = [id('One'), id('Two')]
  const [hash] = await hashesOf(two)

  // 70 events that retention removed.
  await platform.pool.query(
    `INSERT INTO error_hourly_counts SELECT project_id, id, date_trunc('hour', now() - interval '100 days'), 70 FROM error_groups WHERE id = $1`,
    [one]
  )
  await platform.pool.query(`UPDATE error_groups SET events = events + 70, first_seen_at = now() - interval '100 days' WHERE id = $1`, [
    one
  ])
  const { first_seen_at: firstSeen } = await show(one)
  await merge(one, two)
  const { body: split } = await unmerge(one, hash!.hash)

  t.equal(split.event_count, 1)
  t.hasStrict(await show(one), { event_count: 71, first_seen_at: firstSeen, approximated_user_count: 1 })
})

onBothBackends(t, 'what is large follows in steps, and is read whole meanwhile', async (t, kind) => {
  const { id, show, eventsOf, hashesOf, merge, unmerge, platform, work, path, call } = await withErrors(
    t,
    [openError('One', 'ann', 1), openError('Two', 'bob', 5)],
    { kind }
  )
  const [one, two] = [id('One'), id('Two')]
  const many = 10_000

  await platform.pool.query(
    `INSERT INTO error_events SELECT project_id, group_id, gen_random_uuid(), day, occurred_at - n * interval '1 second', received_at, level,
       environment, release, platform, payload, gen_random_uuid(), hash, n, tags
     FROM error_events, generate_series(1, ${many}) n WHERE group_id = $1`,
    [two]
  )
  await platform.pool.query(`INSERT INTO error_users SELECT $1, n FROM generate_series(1, ${many}) n`, [two])
  await platform.pool.query(
    `INSERT INTO error_hourly_counts SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC'), count(*) FROM error_events
     WHERE group_id = $1 GROUP BY 1, 2, 3 ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = EXCLUDED.events`,
    [two]
  )
  await platform.pool.query('UPDATE error_groups SET events = events + $2, users = users + $2 WHERE id = $1', [two, many])
  const all = async (group: number) =>
    (await platform.pool.query('SELECT count(*) FROM error_events WHERE group_id = $1', [group])).rows[0].count
  const [hash] = await hashesOf(two)

  t.hasStrict(await merge(one, two), { body: { event_count: many + 2 } })
  t.hasStrict(await show(one), { regrouping: { moved: 0, total: many + 1 } })
  t.equal((await eventsOf(one)).length, 100)
  t.equal((await hashesOf(one)).length, 2)
  t.hasStrict(await unmerge(one, hash!.hash), { status: 409 })
  t.hasStrict(await merge(one, two), { status: 201 }, 'it is a part already')

  await work('maintenance')
  await eventually(async () => !(await show(one)).regrouping, 'all are where they belong')
  t.hasStrict(await show(one), { event_count: many + 2, approximated_user_count: many + 2 })
  t.equal(await all(one), many + 2)

  const { body: split } = await unmerge(one, hash!.hash)
  await eventually(async () => !(await show(split.fingerprint)).regrouping, 'all are where they belong again')
  t.hasStrict(await show(split.fingerprint), { event_count: many + 1, approximated_user_count: many + 1 })
  t.hasStrict(await show(one), { event_count: 1, approximated_user_count: 1 })
  t.equal(await all(split.fingerprint), many + 1)
  t.same((await call('GET', `${path}/errors?sort=event_count_desc`)).body.length, 2)
  await finishMoves(platform.fork())
})

onBothBackends(t, 'while events come in, merging and splitting loses none', async (t, kind) => {
  const types = Array.from({ length: 6 }, (_, n) => `Type${n}`)
  const { id, hashesOf, merge, unmerge, send, work, platform, untilStored } = await withErrors(
    t,
    types.map(type => openError(type, 'ann', 1)),
    { kind, env: { BATCH_MS: '5', DATABASE_POOL: '10' } }
  )
  const { pool } = platform
  const groups = types.map(id)
  const deadlocks = async () =>
    Number((await pool.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')).rows[0].deadlocks)
  const before = await deadlocks()
  let sent = types.length
  let isOver = false

  await work('errors', undefined, { concurrency: 3 })
  const sending = Array.from({ length: 4 }, async (_, sender) => {
    while (!isOver && sent < 1500) {
      const n = sent++
      await send(anEnvelope(openError(types[(n + sender) % types.length]!, `user ${n % 20}`, n % 30)))
    }
  })

  for (let round = 0; round < 6; round++) {
    const into = groups[round % 2]!

    t.equal((await merge(into, ...groups.filter(group => group !== into))).status, 201)
    for (const { hash } of (await hashesOf(into)).slice(1)) t.equal((await unmerge(into, hash)).status, 201)
  }
  isOver = true
  await Promise.all(sending)
  await untilStored(sent)
  await finishMoves(platform.fork())
  const { rows } = await pool.query(`
    SELECT g.id, g.events, g.users, g.merged_into,
      (SELECT count(*) FROM error_events e WHERE e.group_id = g.id) AS stored,
      (SELECT count(DISTINCT user_hash) FROM error_events e WHERE e.group_id = g.id) AS people,
      (SELECT coalesce(sum(t.events), 0)::bigint FROM error_hourly_counts t WHERE t.group_id = g.id) AS tallied,
      (SELECT min(occurred_at) = g.first_seen_at AND max(occurred_at) = g.last_seen_at FROM error_events e WHERE e.group_id = g.id) AS is_seen,
      (SELECT count(*) FROM error_events e JOIN error_hashes h USING (project_id, hash) WHERE e.group_id = g.id AND h.group_id <> g.id) AS astray
    FROM error_groups g`)

  for (const { id, events, users, stored, people, tallied, is_seen, astray, merged_into } of rows) {
    t.same([events, users, tallied, is_seen], [stored, people, stored, stored > 0 ? true : null], `group ${id}`)
    t.equal(astray, 0, 'all lie where their hashes say')
    if (merged_into) t.equal(stored, 0)
  }
  t.equal(
    rows.reduce((sum, { events }) => sum + events, 0),
    sent
  )
  t.equal(await deadlocks(), before, 'nobody stood in another’s way')
})

t.test('a batch waits for a merge of its groups', async t => {
  const { platform, projectId } = await withErrors(t, [openError('One', 'ann', 1)])

  t.same(await platform.fork().transactional(em => lockProjectsShared(em, [projectId, 0])), new Set([projectId]))
})
