import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { groups } from './error-fill.ts'
import { fillPages } from './page-fill.ts'
import { percentile } from './percentiles.ts'
import { System } from './system.ts'

/**
 * Measures the pages of a project with 100,000 errors and ten million events, each alternating with the REST requests for
 * the same data. Settings: `BENCH_EVENTS` (10000000), `BENCH_ROUNDS` (50), `BENCH_ONLY` (a part of the names) and
 * `BENCH_DIR` (keeps the data for the next run).
 */
const events = Number(process.env.BENCH_EVENTS ?? 10_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 50)
const only = process.env.BENCH_ONLY ?? ''
const goal = 1.5
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const print = (line: string) => process.stderr.write(`${line}\n`)

interface Compared {
  page: string
  /** The requests that read the same data. */
  rest: string[]
}

interface Measured {
  name: string
  page: number[]
  rest: number[]
  body: Buffer
}

process.env.RATE_LIMIT_USER = '0'
process.env.RATE_LIMIT_IP = '0'
const system = new System('postgres')

await system.start()
await system.end('worker')
try {
  print(`${groups} errors, ${events} events …`)
  await fillPages(system.db, system.projectId, events, print)
  const cookie = await signIn()
  const measured: Measured[] = []

  for (const [name, compared] of Object.entries(await listComparisons())) {
    if (name.includes(only)) measured.push(await measure(name, compared, cookie))
  }
  report(measured)
} finally {
  agent.destroy()
  await system.stop()
}

async function listComparisons(): Promise<Record<string, Compared>> {
  const page = `/projects/${system.projectId}`
  const api = `/api/v4${page}`
  const tracking = `${api}/error_tracking`
  const alerts = `${api}/alert_management_alerts`
  const incidents = `${api}/issues?issue_type=incident&state=opened`
  const day = `first_seen_after=${new Date(Date.now() - 86_400_000).toISOString()}`
  const since = new Date(Date.now() - 13 * 86_400_000).toISOString().slice(0, 10)
  const search = (query: string, rest: string, sort = '') => ({
    page: `${page}/errors?query=${encodeURIComponent(query)}&sort=${sort}`,
    rest: [`${tracking}/errors?per_page=25&${rest}`]
  })
  const error = async (order: string) => {
    const id = await findGroup(order)

    return {
      page: `${page}/errors/${id}`,
      rest: ['', '/events/latest', '/events?per_page=2', '/tags', '/comments'].map(path => `${tracking}/errors/${id}${path}`)
    }
  }

  return {
    home: {
      page: '/',
      rest: [
        '/api/v4/projects?membership=true',
        `${incidents}&per_page=10`,
        `${alerts}?status=triggered&per_page=10`,
        `${alerts}?status=acknowledged&per_page=10`,
        `${tracking}/errors?${day}&sort=first_seen_desc&per_page=10`,
        `${tracking}/errors?assignee_id=1&per_page=10`
      ]
    },
    overview: {
      page,
      rest: [
        `${tracking}/stats?since=${since}`,
        `${alerts}/status_counts`,
        `${alerts}?status=triggered&per_page=5`,
        `${alerts}?status=acknowledged&per_page=5`,
        `${tracking}/errors?${day}&sort=first_seen_desc&per_page=5`,
        `${tracking}/releases?per_page=5`,
        `${incidents}&per_page=5`
      ]
    },
    'list, unresolved': search('is:unresolved', ''),
    'list, first seen': search('is:unresolved', 'sort=first_seen_desc', 'first_seen'),
    'list, most events': search('is:unresolved', 'sort=event_count_desc', 'event_count'),
    'list, most users': search('is:unresolved', 'sort=user_count_desc', 'user_count'),
    'list, new': search('is:unresolved is:new', day),
    'list, assigned to me': search('is:unresolved assigned:me', 'assignee_id=1'),
    'list, an environment': search('is:unresolved environment:production', 'environment=production'),
    'list, a release': search('is:unresolved release:shop@1.80', 'release=shop%401.80'),
    'list, a rare level': search('is:unresolved level:fatal', 'level=fatal'),
    'list, words': search('is:unresolved in step_17', 'query=in+step_17'),
    'list, all': search('', 'status=all'),
    'one error': await error('md5(id::text)'),
    'one error, the busiest': await error('events DESC'),
    releases: { page: `${page}/releases`, rest: [`${tracking}/releases?per_page=25`] },
    statistics: { page: `${page}/statistics`, rest: [`${tracking}/stats`] },
    'search, words': {
      page: '/search?q=in+step_17',
      rest: [
        '/api/v4/projects?search=in+step_17&per_page=8',
        `${tracking}/errors?status=all&query=in+step_17&per_page=8`,
        '/api/v4/users?search=in+step_17'
      ]
    },
    'search, a frequent word': {
      page: '/search?q=order',
      rest: [
        '/api/v4/projects?search=order&per_page=8',
        `${tracking}/errors?status=all&query=order&per_page=8`,
        '/api/v4/users?search=order'
      ]
    },
    alerts: { page: `${page}/alerts`, rest: [`${alerts}?per_page=50`, `${alerts}/status_counts`] },
    incidents: { page: `${page}/incidents`, rest: [`${incidents}&per_page=50`] }
  }
}

async function findGroup(order: string) {
  const { rows } = await system.db.query(`SELECT id FROM error_groups WHERE status = 'unresolved' ORDER BY ${order} LIMIT 1`)

  return rows[0].id
}

async function measure(name: string, { page, rest }: Compared, cookie: string): Promise<Measured> {
  const measured: Measured = { name, page: [], rest: [], body: Buffer.alloc(0) }

  for (let n = -10; n < rounds; n++) {
    const startedAt = performance.now()
    measured.body = await read(page, { cookie, accept: 'text/html' })
    const between = performance.now()
    for (const path of rest) await read(path, { 'private-token': system.token })
    if (n < 0) continue
    measured.page.push(between - startedAt)
    measured.rest.push(performance.now() - between)
  }

  return measured
}

function read(path: string, headers: Record<string, string>) {
  return new Promise<Buffer>((resolve, reject) => {
    const asked = request({ port: system.port, path, agent, headers }, response => {
      const chunks: Buffer[] = []

      response
        .on('data', chunk => chunks.push(chunk))
        .once('end', () =>
          response.statusCode === 200 ? resolve(Buffer.concat(chunks)) : reject(new Error(`${path}: ${response.statusCode}`))
        )
    })

    asked.once('error', reject).end()
  })
}

async function signIn() {
  const response = await fetch(`http://127.0.0.1:${system.port}/users/sign_in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ login: 'root', password: 'bench-bench' })
  })

  return response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}

function report(measured: Measured[]) {
  const rows = [
    ['', 'page ms', 'p95', 'REST ms', 'times', 'KB', 'gzipped'],
    ...measured.map(({ name, page, rest, body }) => [
      name,
      String(percentile(page, 0.5)),
      String(percentile(page, 0.95)),
      String(percentile(rest, 0.5)),
      `${ratio(page, rest).toFixed(2)}${ratio(page, rest) > goal ? ' !' : ''}`,
      (body.length / 1000).toFixed(1),
      (gzipSync(body).length / 1000).toFixed(1)
    ])
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))

  for (const row of rows)
    process.stdout.write(`${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join('  ')}\n`)
}

function ratio(page: number[], rest: number[]) {
  return percentile(page, 0.5) / percentile(rest, 0.5)
}
