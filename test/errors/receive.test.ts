import { randomBytes } from 'node:crypto'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { receiveEnvelopes } from '#errors/jobs.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const limit = 4 << 20
const env = { ENVELOPE_MAX_INFLATED: String(limit), BATCH_MS: '100' }

/** Its first lines and the size at its end tell of one small event, and 100 MiB of blank lines follow. */
function aBomb() {
  const start = `{"event_id":"${anEventId()}"}\n{"type":"event","length":5000}\n`
  const bomb = gzipSync(Buffer.concat([Buffer.from(start), randomBytes(5000), Buffer.alloc(100 << 20, '\n')]))

  bomb.writeUInt32LE(start.length + 5000, bomb.length - 4)

  return bomb
}

t.test('a payload that inflates beyond the limit is counted as dropped and not held in memory', async t => {
  const { send, untilStored, platform, project } = await openProject(t, { env })
  const bomb = aBomb()
  const before = process.memoryUsage().rss
  const bodies = [bomb, bomb, bomb, gzipSync(anEnvelope(anException()))]

  for (const { statusCode } of await Promise.all(bodies.map(body => send(body, { 'content-encoding': 'gzip' })))) t.equal(statusCode, 200)
  await untilStored(1)
  const { rows } = await platform.pool.query('SELECT category, reason, items FROM error_dropped_counts WHERE project_id = $1', [project.id])

  t.same(rows, [{ category: 'envelope', reason: 'too_large', items: 3 }])
  t.ok(process.memoryUsage().rss - before < 64 << 20)
})

t.test('a batch is never inflated all at once', async t => {
  const { platform, project, key } = await openProject(t)
  const bulky = Buffer.concat([Buffer.from(`{}\n{"type":"attachment","length":${20 << 20}}\n`), Buffer.alloc(20 << 20)])
  const body = zstdCompressSync(bulky)
  const sent = { projectId: project.id, keyId: key.id, receivedAt: new Date().toISOString(), encoding: 'zstd', body }
  const items = Array.from({ length: 12 }, () => ({ ...sent, id: anEventId() }))
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)

  t.teardown(() => clearInterval(watch))
  await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', items)
  await eventually(
    async () => {
      const { rows } = await platform.pool.query('SELECT sum(items)::int AS items FROM error_dropped_counts WHERE project_id = $1', [
        project.id
      ])
      return rows[0].items === items.length
    },
    'all are counted',
    60_000
  )

  t.ok(peak - before < 120 << 20, `${(peak - before) >> 20} MiB for what would be 240`)
})

t.test('attachments beyond the memory limit of a batch are all stored once', async t => {
  const { platform, project, key, call, path } = await openProject(t)
  const file = Buffer.concat([Buffer.from(`{}\n{"type":"attachment","length":${5 << 20}}\n`), Buffer.alloc(5 << 20)])
  const body = zstdCompressSync(file)
  const sent = { projectId: project.id, keyId: key.id, receivedAt: new Date().toISOString(), encoding: 'zstd', body }
  const items = Array.from({ length: 8 }, () => ({ ...sent, id: anEventId() }))

  for (const _twice of [1, 2]) {
    await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', items)
    await eventually(
      async () => (await platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0,
      'it is worked'
    )
  }
  const { rows } = await platform.pool.query('SELECT count(*)::int AS files, sum(size)::int AS bytes FROM error_attachments')

  t.same(rows, [{ files: 8, bytes: 40 << 20 }])
  t.hasStrict((await call('GET', `${path}/stats`)).body, { received: 8, stored: 8, dropped: 0 })
})
