import { createHash } from 'node:crypto'
import t from 'tap'
import type { StoredEvent } from '#errors/events/stored-event.ts'
import { hashKey } from '#errors/grouping/assign-groups.ts'
import { groupEvent, groupingVersion } from '#errors/grouping/group-event.ts'
import { findOrCreateGroups } from '#errors/groups/find-or-create-groups.ts'
import { anEnvelope, anEventId, openProject } from '../support/factories.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { engines } from './fixtures/browsers.ts'
import { failure, frame, library } from './fixtures/events.ts'

const occurrence = { level: 'error', occurredAt: new Date('2026-11-20T12:00:00Z') }
const title = { name: 'E', description: '', actor: '', isMessage: false }
const sha1 = (text: string) => createHash('sha1').update(text).digest()

const world = await openProject(t)
const { pool, fork } = world.platform

/** What lies behind the errors of a project: of the one that takes them in, or of a new one. */
async function behind(project?: { id: number }) {
  const { id } = project ?? (await world.call('POST', '/projects', { name: `Store ${anEventId()}` })).body
  const anEvent = (...names: string[]) =>
    ({
      projectId: id,
      hashes: names.map(sha1),
      previousHashes: [],
      title,
      occurrence,
      payload: Buffer.alloc(0)
    }) as unknown as StoredEvent & {
      hashes: [Buffer, ...Buffer[]]
    }

  return {
    anEvent,
    find: (...events: StoredEvent[]) => fork().transactional(em => findOrCreateGroups(em, events)),
    hashes: async () => {
      const { rows } = await pool.query('SELECT hash, group_id FROM error_hashes WHERE project_id = $1', [id])

      return new Map<string, number>(rows.map(row => [row.hash.toString('hex'), row.group_id]))
    },
    groups: async (): Promise<number[]> => {
      const { rows } = await pool.query('SELECT id FROM error_groups WHERE project_id = $1 ORDER BY id', [id])

      return rows.map(row => row.id)
    }
  }
}

onBothBackends(t, 'pairs of events that were really sent land in one group, others do not', async (t, kind) => {
  const { send, untilStored } = await openProject(t, { kind })
  const together = [
    Object.values(engines).map(engine => engine()),
    [17, 18, 19].map(id => ({ message: `order ${id} of ann${id}@example.com failed` })),
    [1, 2].map(depth => failure([frame('main'), ...Array(depth).fill(frame('walk'))], { type: 'Recursion' })),
    [1, 2].map(n => ({ ...failure([frame('pay')], { type: `Any${n}` }), fingerprint: ['payments'] })),
    [1, 2].map(n => failure([library(`lib${n}`), frame('pay')], { type: 'Deep' }))
  ]
  const apart = ['7', '8'].map(tenant => ({ ...failure([frame('pay')]), fingerprint: ['{{ default }}', tenant] }))

  for (const event of [...together.flat(), ...apart]) await send(anEnvelope(event))
  const errors = await untilStored(together.flat().length + apart.length)

  t.equal(errors.length, together.length + apart.length)
  t.same(errors.map((error: { event_count: number }) => error.event_count).sort(), [...together.map(events => events.length), 1, 1].sort())
})

t.test(
  'all hashes of an event are attached to its group; one of which only the second is known joins; a moved one takes along',
  async t => {
    const { send, untilStored } = world
    const { hashes, groups } = await behind(world.project)
    const stack = (isOwn: boolean | undefined) => failure([{ function: 'x', module: 'lib' }, frame('pay', 'app', { in_app: isOwn })])

    await send(anEnvelope(stack(true)))
    await untilStored(1)
    const [group] = await groups()
    t.same(await hashes(), new Map(groupEvent(stack(true)).hashes.map(hash => [hash.toString('hex'), group])))
    t.same((await pool.query('SELECT DISTINCT grouping_version AS version FROM error_hashes')).rows, [{ version: groupingVersion }])

    await send(anEnvelope(stack(undefined)))
    t.equal((await untilStored(2)).length, 1, 'an event without a word of what is our own')
    await send(anEnvelope(failure([{ function: 'x', module: 'lib', in_app: true }, frame('pay', 'app', { in_app: false })])))
    t.equal((await untilStored(3)).length, 1, 'an event with another idea of what is our own')
    t.equal((await hashes()).size, 3)
    t.same([...new Set((await hashes()).values())], [group])

    await send(anEnvelope(failure([frame('other')])))
    await untilStored(4)
    await pool.query('UPDATE error_hashes SET group_id = $1 WHERE project_id = $2', [group, world.project.id])
    await send(anEnvelope(failure([frame('other')])))
    const errors = await untilStored(5)
    t.equal(errors.find((error: { fingerprint: number }) => error.fingerprint === group).event_count, 4)
  }
)

t.test('an event joins the group of its first known hash', async t => {
  const { find, anEvent, hashes } = await behind()
  const [one, two] = [anEvent('a', 's'), anEvent('b', 'r')]
  const groups = await find(one, two)
  const both = anEvent('b', 's', 'new')

  t.equal((await find(both)).get(hashKey(both)), groups.get(hashKey(two)))
  t.equal((await hashes()).get(sha1('s').toString('hex')), groups.get(hashKey(one)), 'a known hash stays where it is')
  t.equal((await hashes()).get(sha1('new').toString('hex')), groups.get(hashKey(two)))
})

t.test('events of one batch are grouped as if they arrived one by one', async t => {
  const { find, anEvent, groups } = await behind()
  const events = [anEvent('a', 's'), anEvent('b', 's'), anEvent('b', 'q'), anEvent('c', 'q'), anEvent('other')]
  const found = await find(...events)

  t.equal(new Set(events.slice(0, 4).map(event => found.get(hashKey(event)))).size, 1)
  t.equal((await groups()).length, 2)
  t.same(await find(...events), found, 'twice is once')
})

t.test('the same hash in another project is another group', async t => {
  const { find, anEvent } = await behind()
  const { body: other } = await world.call('POST', '/projects', { name: 'Other' })
  const events = [anEvent('a', 's'), { ...anEvent('a', 's'), projectId: other.id }]
  const found = await find(...events)

  t.not(found.get(hashKey(events[0]!)), found.get(hashKey(events[1]!)))
})

t.test('a worker waits for a concurrent claim of a hash and joins its group', async t => {
  for (const [own, what] of [
    [['a', 's'], 'all hashes were taken'],
    [['b', 's'], 'only the second was taken'],
    [['a', 'r'], 'only the first was taken']
  ] as const) {
    const { find, anEvent, hashes, groups } = await behind()
    const event = anEvent(...own)
    const other = await pool.connect()

    await other.query('BEGIN')
    const { rows } = await other.query(
      `INSERT INTO error_groups (project_id, name, description, actor, level, first_seen_at, last_seen_at)
       VALUES ($1, 'E', '', '', 'error', now(), now()) RETURNING id`,
      [event.projectId]
    )
    for (const name of ['a', 's'])
      await other.query('INSERT INTO error_hashes VALUES ($1, $2, $3, 2)', [event.projectId, sha1(name), rows[0].id])
    const found = find(event, anEvent('unrelated'))

    await waitsForAnother({ query: sql => pool.query(sql) })
    await other.query('COMMIT')
    other.release()

    t.equal((await found).get(hashKey(event)), rows[0].id, what)
    t.same((await groups()).length, 2, `${what}: no group without events is left`)
    for (const name of own) t.equal((await hashes()).get(sha1(name).toString('hex')), rows[0].id)
  }
})

t.test('concurrent workers create one group for each new error', async t => {
  const { find, anEvent, groups, hashes } = await behind()
  // Of each problem: the same system hash, and one of three ideas of what is our own.
  const batch = (worker: number) => {
    const events = Array.from({ length: 12 }, (_, n) => anEvent(`app ${n} ${(worker + n) % 3}`, `system ${n}`))

    return worker % 2 === 0 ? events : events.reverse()
  }

  for (let round = 0; round < 5; round++) {
    const found = await Promise.all(Array.from({ length: 4 }, (_, worker) => find(...batch(worker + round))))

    for (let n = 0; n < 12; n++) {
      const event = anEvent(`system ${n}`)

      t.equal(new Set(found.map(groups => groups.get(hashKey(event)))).size, 1)
    }
  }
  t.equal((await groups()).length, 12)
  t.equal(new Set((await hashes()).values()).size, 12)
})

t.test('workers with overlapping hashes agree, and every group has a hash', async t => {
  const { find, anEvent, groups, hashes } = await behind()
  const someOf = (...names: string[]) => names.filter(() => Math.random() < 0.4)
  const names = Array.from({ length: 24 }, (_, n) => `hash ${n}`)

  for (let round = 0; round < 6; round++) {
    const batches = Array.from({ length: 4 }, () =>
      Array.from({ length: 8 }, () => anEvent(...someOf(...names.slice(round * 4)).slice(0, 3), names[23 - round]!))
    )
    const found = await Promise.all(batches.map(batch => find(...batch)))
    const stored = await hashes()

    for (const [n, batch] of batches.entries()) {
      for (const event of batch) t.equal(found[n]!.get(hashKey(event)), stored.get(event.hashes[0].toString('hex')))
    }
    t.same([...new Set(stored.values())].sort(), (await groups()).sort())
  }
})

/** Until a session stands in line for what another holds. */
function waitsForAnother({ query }: { query: (sql: string) => Promise<{ rowCount: number | null }> }) {
  const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO error_hashes%'`

  return eventually(async () => ((await query(sql)).rowCount ?? 0) > 0, 'somebody waits')
}

t.test('an event joins the group that it had by the rules before, and brings its new hashes along', async t => {
  const { anEvent, find, hashes } = await behind()
  const withPrevious = (name: string, previous: string) => ({ ...anEvent(name), previousHashes: [sha1(previous)] })
  const olderEvent = anEvent('old')

  await find(olderEvent)
  const knownGroup = (await hashes()).get(sha1('old').toString('hex'))
  const [one, two, three] = [withPrevious('one', 'old'), withPrevious('two', 'none'), withPrevious('three', 'none')]
  const groups = await find(one, two, three)

  t.equal(groups.get(hashKey(one)), knownGroup, 'a group is not split')
  t.not(groups.get(hashKey(two)), groups.get(hashKey(three)), 'new groups follow the new rules only')
  t.same([...(await hashes()).keys()].sort(), ['old', 'one', 'two', 'three'].map(name => sha1(name).toString('hex')).sort())
  t.equal((await find(anEvent('one'))).get(hashKey(one)), knownGroup)
})
