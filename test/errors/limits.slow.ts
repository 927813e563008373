import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { anEnvelope, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

t.test('twelve concurrent envelopes of 199 MB are accepted within the memory of a few chunks', async t => {
  const { send, worker } = await openProject(t)
  const bytes = 199 * mebibyte
  const body = gzipSync(Buffer.concat([Buffer.from(`{}\n{"type":"attachment","length":${bytes}}\n`), Buffer.alloc(bytes)]))

  await worker.close(5000)
  await send(anEnvelope())
  const peak = watchMemory(t)
  const answers = await Promise.all(Array.from({ length: 12 }, () => send(body, { 'content-encoding': 'gzip' })))

  t.same(
    answers.map(({ statusCode }) => statusCode),
    Array(12).fill(200)
  )
  t.ok(peak() < 100 * mebibyte, `${peak() / mebibyte} MiB for what would be 2388`)
})

t.test('an envelope of 199 MB is processed without holding what is dropped', async t => {
  const { send, untilStored, platform, project } = await openProject(t)
  const bytes = 198 * mebibyte
  const body = gzipSync(Buffer.concat([Buffer.from(`${anEnvelope()}{"type":"attachment","length":${bytes}}\n`), Buffer.alloc(bytes)]))
  const peak = watchMemory(t)

  for (let n = 0; n < 2; n++) t.equal((await send(body, { 'content-encoding': 'gzip' })).statusCode, 200)
  await untilStored(1)
  await eventually(async () => {
    const { rows } = await platform.pool.query('SELECT category, reason, items FROM error_dropped_counts WHERE project_id = $1', [
      project.id
    ])

    return rows.some(({ category, reason, items }) => category === 'attachment' && reason === 'too_large' && items === 2)
  }, 'both attachments are counted')
  t.ok(peak() < 100 * mebibyte, `${peak() / mebibyte} MiB`)
})

/** Returns the growth of resident memory so far. */
function watchMemory(t: Test) {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)

  t.teardown(() => clearInterval(timer))

  return () => peak - before
}
