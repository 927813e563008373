import { Agent, get } from 'node:http'
import { fillEvents, fillGroups, groups } from './error-fill.ts'
import { System } from './system.ts'

/**
 * Measures reads of errors over HTTP with 100,000 groups, as their events grow to ten million.
 * Settings: `BENCH_SIZES` (in millions: 1,5,10) and `BENCH_ROUNDS` (200 per request).
 */
const sizes = (process.env.BENCH_SIZES ?? '1,5,10').split(',').map(millions => Number(millions) * 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 200)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const print = (line: string) => process.stderr.write(`${line}\n`)

/** The path of a request in round `n`. */
type Ask = (n: number, facts: Facts) => string

interface Facts {
  busiest: string[]
  usual: string[]
  deep: Record<string, string>
  deepEvents: string
  event: string
  group: string
}

const list =
  (search: string): Ask =>
  () =>
    `?${search}`
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const one =
  (rest = ''): Ask =>
  (n, { usual }) =>
    `/${usual[n % usual.length]}${rest}`
const busy =
  (rest = ''): Ask =>
  (n, { busiest }) =>
    `/${busiest[n % busiest.length]}${rest}`

const requests: Record<string, Ask> = {
  // The cost of any request on this machine.
  'the project itself': () => '.',
  'list, last seen': list(''),
  'list, 100 a page, a month of each': list('per_page=100&stats_period=30d'),
  'list, every status': list('status=all'),
  'list, first seen': list('sort=first_seen_desc'),
  'list, most events': list('sort=event_count_desc'),
  'list, most users': list('sort=user_count_desc'),
  'list, least users': list('sort=user_count_asc'),
  'deep page, last seen': (_, { deep }) => `?cursor=${deep.last_seen_desc}`,
  'deep page, most events': (_, { deep }) => `?sort=event_count_desc&cursor=${deep.event_count_desc}`,
  'deep page, every status': (_, { deep }) => `?status=all&cursor=${deep.last_seen_desc}`,
  'resolved ones': list('status=resolved'),
  'a frequent environment': list('environment=production'),
  'a rare environment': list('environment=canary'),
  'an unknown environment': list('environment=nowhere'),
  'the newest release': list('release=shop%401.90'),
  'an old release': list('release=shop%401.20'),
  'a rare level, most users': list('level=fatal&sort=user_count_desc'),
  'text, frequent': list('query=order'),
  'text, one of thousand': list('query=in+step_17'),
  'text, rare': list('query=c4ca4238a0'),
  'text, nowhere': list('query=segmentation+fault'),
  'text, two letters, nowhere': list('query=zq'),
  'first seen this day': () => `?first_seen_after=${daysAgo(1)}&sort=last_seen_asc`,
  'not seen for two months, by first seen': () => `?last_seen_before=${daysAgo(60)}&sort=first_seen_desc`,
  'old release, text, level, most events': list('release=shop%401.20&query=timeout&level=warning&sort=event_count_desc'),
  'environment, range, every status': () => `?status=all&environment=qa&first_seen_before=${daysAgo(45)}&last_seen_after=${daysAgo(20)}`,
  'one error': one(),
  'one error, a busy one': busy(),
  'its tags': one('/tags'),
  'its tags, a busy one': busy('/tags'),
  'its events': one('/events'),
  'its events, a busy one, latest first': busy('/events?sort=occurred_at_desc'),
  'its events, a busy one, deep': (_, { group, deepEvents }) => `/${group}/events?cursor=${deepEvents}`,
  'the latest event': one('/events/latest'),
  'the oldest event, a busy one': busy('/events/oldest'),
  'an event by its id': (_, { group, event }) => `/${group}/events/${event}`,
  'the stack trace': one('/stack_trace')
}

type Times = Record<string, { p50: number; p99: number }>

process.env.RATE_LIMIT_USER = '0'
process.env.RATE_LIMIT_IP = '0'
const system = new System('postgres')
const measured: Times[] = []

await system.start()
await system.end('worker')
try {
  print(`${groups} groups …`)
  await fillGroups(system.db, system.projectId)
  for (const [n, size] of sizes.entries()) {
    print(`${size} events …`)
    await fillEvents(system.db, system.projectId, sizes[n - 1] ?? 0, size)
    measured.push(await measureAll())
    report()
  }
} finally {
  agent.destroy()
  await system.stop()
}

async function measureAll() {
  const facts = await gather()
  const times: Times = {}

  for (const [name, ask] of Object.entries(requests)) times[name] = await measure(n => ask(n, facts))

  return times
}

async function gather(): Promise<Facts> {
  const ids = async (order: string) =>
    (await system.db.query(`SELECT id FROM error_groups WHERE status = 'unresolved' ORDER BY ${order} LIMIT 50`)).rows.map(({ id }) => id)
  const busiest = await ids('events DESC')
  const group = busiest[0]!
  const { rows } = await system.db.query(
    'SELECT occurred_at, event_id FROM error_events WHERE group_id = $1 ORDER BY occurred_at OFFSET 5000 LIMIT 1',
    [group]
  )
  const position = async (column: string) => {
    const found = await system.db.query(
      `SELECT ${column} AS at, id FROM error_groups WHERE status = 'unresolved' ORDER BY ${column} DESC OFFSET 40000 LIMIT 1`
    )
    const { at, id } = found.rows[0]

    return cursor([at instanceof Date ? at.toISOString() : Number(at), Number(id)])
  }

  return {
    busiest,
    usual: await ids('md5(id::text)'),
    deep: { last_seen_desc: await position('last_seen_at'), event_count_desc: await position('events') },
    deepEvents: cursor([rows[0].occurred_at.toISOString(), rows[0].event_id]),
    event: rows[0].event_id.replaceAll('-', ''),
    group
  }
}

function cursor(position: unknown[]) {
  return Buffer.from(JSON.stringify(['after', ...position])).toString('base64url')
}

async function measure(ask: (n: number) => string) {
  const times: number[] = []

  for (let n = -10; n < rounds; n++) {
    const startedAt = performance.now()

    await read(ask(n + 10))
    if (n >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)

  return { p50: times[Math.floor(rounds * 0.5)]!, p99: times[Math.floor(rounds * 0.99)]! }
}

function read(rest: string) {
  const path = `/api/v4/projects/${system.projectId}${rest.startsWith('.') ? '' : `/error_tracking/errors${rest}`}`

  return new Promise<void>((resolve, reject) => {
    get({ port: system.port, path, agent, headers: { 'private-token': system.token } }, response => {
      response.resume().once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`))))
    }).once('error', reject)
  })
}

function report() {
  const names = Object.keys(measured[0]!)
  const grown = (name: string) => measured.at(-1)![name]!.p50 / measured[0]![name]!.p50
  const rows = [
    ['ms', ...sizes.slice(0, measured.length).flatMap(size => [`p50 at ${size / 1_000_000}m`, 'p99']), 'grown'],
    ...names.map(name => [
      name,
      ...measured.flatMap(times => [times[name]!.p50.toFixed(1), times[name]!.p99.toFixed(1)]),
      `× ${grown(name).toFixed(1)}`
    ])
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))

  for (const row of rows) {
    process.stdout.write(`${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join('  ')}\n`)
  }
}
