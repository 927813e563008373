import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { EnvelopeLimits } from '#errors/parse/envelope-limits.ts'
import { TooLarge } from '#lib/inflate.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Types of items with the most that passes: one of so many bytes, so many together, so many of them. */
const bounds: [type: string, bound: 'bytes' | 'together' | 'count', most: number][] = [
  ['event', 'bytes', mebibyte],
  ['event', 'count', 100],
  ['transaction', 'bytes', mebibyte],
  ['security', 'bytes', mebibyte],
  ['raw_security', 'bytes', mebibyte],
  ['feedback', 'bytes', mebibyte],
  ['user_report', 'bytes', mebibyte],
  ['attachment', 'bytes', 200 * mebibyte],
  ['attachment', 'together', 200 * mebibyte],
  ['attachment', 'count', 30],
  ['session', 'together', 10 * mebibyte],
  ['sessions', 'together', 10 * mebibyte],
  ['session', 'count', 100],
  ['sessions', 'count', 100],
  ['client_report', 'together', 100 * kibibyte],
  ['client_report', 'count', 100],
  ['check_in', 'bytes', 100 * kibibyte]
]

type Item = [type: string, bytes: number]

function checkLimits(items: Item[]) {
  const limits = new EnvelopeLimits()

  for (const [type, bytes] of items) {
    limits.startItem(type)
    limits.addPayload(bytes)
  }
}

for (const [type, bound, most] of bounds) {
  t.test(`${type}: at most ${most} ${bound}`, async t => {
    const item = (bytes: number): Item => [type, bytes]
    const items = {
      bytes: (bytes: number) => [item(bytes)],
      together: (bytes: number) => [item(bytes / 2), item(bytes - Math.floor(bytes / 2))],
      count: (count: number) => Array.from({ length: count }, () => item(1))
    }[bound]

    t.doesNotThrow(() => checkLimits(items(most)))
    t.throws(() => checkLimits(items(most + 1)), TooLarge)
    t.throws(() => checkLimits(items(most + 1)), { message: new RegExp(`The envelope is too large: .*${most}`) })
  })
}

t.test('events of all types share their limit of 100', async t => {
  const types = ['event', 'transaction', 'security', 'raw_security', 'feedback', 'user_report']
  const items = Array.from({ length: 101 }, (_, n): Item => [types[n % types.length]!, 1])

  t.doesNotThrow(() => checkLimits(items.slice(1)))
  t.throws(() => checkLimits(items), { message: /100 events/ })
})

t.test('session and sessions items share their limit', async t => {
  const items = Array.from({ length: 101 }, (_, n): Item => [n % 2 ? 'session' : 'sessions', 1])

  t.throws(() => checkLimits(items), { message: /100 sessions/ })
})

t.test('items of all other types share a limit of 1,000', async t => {
  const items = Array.from({ length: 1001 }, (_, n): Item => [n % 2 ? 'profile' : 'constructor', 0])

  t.doesNotThrow(() => checkLimits(items.slice(1)))
  t.throws(() => checkLimits(items), { message: /1000 other items/ })
})

t.test('a rejection names the exceeded limit and is counted', async t => {
  const { app, send, project, key, platform } = await openProject(t, { isPrivate: true })
  const files = Array.from({ length: 31 }, () => '{"type":"attachment","length":1}\nx\n').join('')
  const store = `/api/${project.id}/store/?sentry_key=${key.public_key}`
  const huge = gzipSync(Buffer.concat([Buffer.from('{}\n{"type":"attachment"}\n'), Buffer.alloc(200 * mebibyte)]))
  const events = '{"type":"event","length":2}\n{}\n'.repeat(101)
  const refused: [string, string | Buffer, Record<string, string>, string | undefined, RegExp][] = [
    ['files', `${anEnvelope(anException())}${files}`, {}, undefined, /may hold 30 attachments/],
    ['events', `{}\n${events}`, {}, undefined, /may hold 100 events/],
    ['an event', JSON.stringify({ message: 'x'.repeat(mebibyte) }), {}, store, /too large/],
    ['a body as sent', Buffer.alloc(20 * mebibyte + 1), {}, undefined, /too large/],
    ['a body inflated', huge, { 'content-encoding': 'gzip' }, undefined, /too large/]
  ]

  for (const [what, body, headers, url, detail] of refused) {
    const response = await send(body, headers, url)

    t.equal(response.statusCode, 413, what)
    t.match(response.json().detail, detail)
  }
  await app.close()
  const { rows } = await platform.pool.query('SELECT category, reason, items FROM error_dropped_counts WHERE project_id = $1', [project.id])
  t.same(rows, [{ category: 'envelope', reason: 'too_large', items: 5 }])
})

t.test('large envelopes beyond those that may wait are rejected with Retry-After', async t => {
  const { send } = await openProject(t)
  const noise = randomBytes(18 * mebibyte)
  const body = gzipSync(Buffer.concat([Buffer.from(`{}\n{"type":"attachment","length":${noise.length + 1}}\n`), noise]), { level: 1 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(body, { 'content-encoding': 'gzip' })))
  const busy = answers.filter(({ statusCode }) => statusCode === 429)

  t.same(
    answers.filter(({ statusCode }) => statusCode !== 429).map(({ statusCode }) => statusCode),
    Array(8 - busy.length).fill(400)
  )
  t.ok(busy.length > 0)
  for (const { headers } of busy) t.hasStrict(headers, { 'retry-after': '10', 'x-sentry-rate-limits': '10::organization:busy' })
  t.equal((await send(body, { 'content-encoding': 'gzip' })).statusCode, 400, 'the next has its turn')
})
