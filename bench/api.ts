import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { System } from './system.ts'
import { withBare } from './with-bare.ts'

interface Target {
  port: number
  path: string
}

/**
 * Reads the API 200 times per second while BENCH_ERRORS errors per second are received and stored.
 * A bare node:http server under the same load shows the machine's share of the latency.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const perSecond = { reads: 200, errors: Number(process.env.BENCH_ERRORS ?? 100) }
const maker = envelopeMaker()
const kinds = process.argv.includes('--only') ? [process.argv.at(-1) as 'redis' | 'postgres'] : (['postgres', 'redis'] as const)

for (const kind of kinds) {
  const system = new System(kind)

  await system.start()
  try {
    await fill(system)
    await withBare(port => report(kind, 'bare node:http', system, { port, path: '/' }))
    for (const [name, path] of Object.entries({
      'GET /projects/:id': `/api/v4/projects/${system.projectId}`,
      'a keyset page of GET /projects': '/api/v4/projects?pagination=keyset&order_by=id&sort=desc'
    }))
      await report(kind, name, system, { port: system.port, path })
  } finally {
    await system.stop()
  }
}

async function report(kind: string, name: string, system: System, target: Target) {
  // Warm-up, until V8 has optimized the hot functions.
  await measure(system, target, 10)
  const { reads, errors } = await measure(system, target, seconds)

  process.stdout.write(
    `${kind.padEnd(9)} ${name.padEnd(32)} ${reads.perSecond}/s, p50 ${reads.p50} ms, p99 ${reads.p99} ms, beside ${errors.perSecond} errors a second\n`
  )
}

async function fill({ db }: System) {
  await db.query(`INSERT INTO projects (namespace_id, creator_id, name, path, full_path, visibility)
    SELECT n.id, n.owner_id, 'Project ' || i, 'p-' || i, n.full_path || '/p-' || i, 'private'
    FROM (SELECT * FROM namespaces ORDER BY id LIMIT 1) n, generate_series(1, 10000) i`)
  await db.query('ANALYZE')
}

async function measure({ port, token, intakePath }: System, target: Target, seconds: number) {
  const get = Buffer.from(`GET ${target.path} HTTP/1.1\r\nHost: localhost\r\nPRIVATE-TOKEN: ${token}\r\n\r\n`)
  const [reads, errors] = await Promise.all([
    load({ port: target.port, connections: 16, seconds, rate: perSecond.reads, request: () => ({ bytes: get }) }),
    load({ port, connections: 16, seconds, rate: perSecond.errors, request: () => ({ bytes: post(intakePath, maker.next().body) }) })
  ])

  return { reads, errors }
}
