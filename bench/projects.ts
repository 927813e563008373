import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '#app.ts'
import { boot } from '#boot.ts'
import { readConfig } from '#config.ts'
import { hashSecret } from '#identity/secrets.ts'
import { seedInstallation } from '#seed-installation.ts'
import { EmbeddedPostgres } from '../bin/postgres/embedded-postgres.js'
import { secretKey } from './system.ts'

const sizes = [10_000, 100_000]
const rounds = Number(process.env.BENCH_ROUNDS ?? 100)
const tokens = { anonymous: undefined, member: 'glpat-bench-of-a-member', admin: 'glpat-bench-of-the-admin' }
const queries = {
  'first page': '',
  'by position': 'pagination=keyset&order_by=id&sort=desc',
  'by name': 'order_by=name&sort=asc',
  'last active': 'order_by=last_activity_at',
  'search, frequent': 'search=project',
  'search, one found': 'search=e4da3b7fbb',
  'search, 1 and 11 found': 'search=t+1234',
  'search, nowhere': 'search=nowhere',
  'search, all of them old': 'search=g12/p',
  'search by position': 'search=g12/p&pagination=keyset&order_by=id',
  'archived only': 'archived=true',
  'of a topic': 'topic=nothing',
  'own only': 'membership=true'
}
const print = (line: string) => process.stderr.write(`${line}\n`)

type Pool = Awaited<ReturnType<typeof boot>>['pool']
type App = Awaited<ReturnType<typeof buildApp>>
type Times = Record<string, { p50: number; p99: number }>

const dir = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const postgres = new EmbeddedPostgres({ dataDir: dir })

await postgres.prepare()
await postgres.start()
const config = readConfig({
  DATABASE_URL: postgres.url,
  SECRET_KEY: secretKey,
  ROOT_TOKEN: tokens.admin,
  ROOT_PASSWORD: 'bench-bench',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_IP: '0'
})
const platform = await boot(config, { role: 'web', log: pino({ level: 'silent' }) })

try {
  await seedInstallation(platform)
  const app = await buildApp(platform)
  const measured: Times[] = []

  await addMember(platform.pool)
  for (const [n, size] of sizes.entries()) {
    print(`${size} projects …`)
    await fill(platform.pool, sizes[n - 1] ?? 0, size)
    measured.push(await measureAll(app))
  }
  report(measured)
  await app.close()
} finally {
  await platform.close()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
}

/** 100 projects per group: most private, some internal, some public. */
async function fill(pool: Pool, from: number, to: number) {
  await pool.query(
    `INSERT INTO namespaces (kind, name, path, full_path, visibility)
     SELECT 'group', 'Group ' || g, 'g' || g, 'g' || g, 'public' FROM generate_series($1::int / 100, $2::int / 100 - 1) g`,
    [from, to]
  )
  await pool.query(
    `INSERT INTO projects (namespace_id, name, path, full_path, visibility, created_at, updated_at, last_activity_at)
     SELECT s.id, 'Project ' || md5(n::text) || ' t ' || n, 'p' || n, s.full_path || '/p' || n,
            CASE n % 10 WHEN 3 THEN 'public' WHEN 4 THEN 'public' WHEN 7 THEN 'internal' ELSE 'private' END,
            now(), now(), now() - (n::bigint * 7919 % 1000003) * interval '1 minute'
     FROM generate_series($1::int + 1, $2::int) n JOIN namespaces s ON s.full_path = 'g' || (n - 1) / 100
     ORDER BY n`,
    [from, to]
  )
  await pool.query(
    `INSERT INTO members (project_id, user_id, access_level)
     SELECT p.id, u.id, 30 FROM projects p, users u WHERE u.username = 'member' AND p.path IN ('p1', 'p500', 'p5000') ON CONFLICT DO NOTHING`
  )
  await pool.query(
    `INSERT INTO members (group_id, user_id, access_level)
     SELECT s.id, u.id, 30 FROM namespaces s, users u WHERE u.username = 'member' AND s.path = 'g50' ON CONFLICT DO NOTHING`
  )
  await pool.query('VACUUM ANALYZE')
}

async function addMember(pool: Pool) {
  const { rows } = await pool.query(`INSERT INTO users (username, name, email) VALUES ('member', 'Member', 'member') RETURNING id`)

  await pool.query(`INSERT INTO access_tokens (user_id, name, token_hash, scopes) VALUES ($1, 'bench', $2, '{api}')`, [
    rows[0].id,
    hashSecret(tokens.member)
  ])
}

async function measureAll(app: App) {
  const times: Times = {}

  for (const [who, token] of Object.entries(tokens)) {
    for (const [what, query] of Object.entries(queries)) times[`${who}: ${what}`] = await measure(app, `/api/v4/projects?${query}`, token)
  }

  return times
}

async function measure(app: App, url: string, token: string | undefined) {
  const times: number[] = []

  for (let n = -20; n < rounds; n++) {
    const startedAt = performance.now()
    const { statusCode } = await app.inject({ url, headers: token ? { 'private-token': token } : {} })

    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
    if (n >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)

  return { p50: times[Math.floor(rounds * 0.5)]!, p99: times[Math.floor(rounds * 0.99)]! }
}

function report([small, large]: Times[]) {
  const rows = [
    ['GET /projects, ms', 'p50 of 10,000', 'p99', 'p50 of 1,000,000', 'p99', 'times'],
    ...Object.entries(small!).map(([name, { p50, p99 }]) => {
      const there = large![name]!

      return [name, p50.toFixed(1), p99.toFixed(1), there.p50.toFixed(1), there.p99.toFixed(1), (there.p50 / p50).toFixed(1)]
    })
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))

  for (const row of rows) {
    process.stdout.write(`${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join('  ')}\n`)
  }
}
