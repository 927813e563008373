import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { boot } from '#boot.ts'
import { readConfig } from '#config.ts'
import type { ReceivedEnvelope } from '#errors/jobs.ts'
import { processEnvelopes } from '#errors/pipeline/process-batch.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { BatchWriter } from '#errors/store/batch-writer.ts'
import { createPartition, createPartitions, deleteExpiredPartitions } from '#errors/store/partition-store.ts'
import { InflateLimiter } from '#lib/inflate-limiter.ts'
import { seedInstallation } from '#seed-installation.ts'
import { EmbeddedPostgres } from '../bin/postgres/embedded-postgres.js'
import { envelopeMaker } from './envelopes.ts'
import { secretKey } from './system.ts'

const compiledDefaults = compileRules(defaultRules)
/** Drops a day of `EVENTS` events while batches are stored, and reports the latency of the batches. */
const events = Number(process.env.EVENTS ?? 5_000_000)
const retentionDays = 90
const batch = 50
const chunk = 250_000
const oldDay = new Date(Date.now() - (retentionDays + 1) * 24 * 3600 * 1000).toISOString().slice(0, 10)
const maker = envelopeMaker()
const print = (line: string) => process.stderr.write(`${line}\n`)

const dir = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const postgres = new EmbeddedPostgres({ dataDir: dir })

await postgres.prepare()
await postgres.start()
const config = readConfig({ DATABASE_URL: postgres.url, SECRET_KEY: secretKey, ROOT_PASSWORD: 'bench-bench', LOG_LEVEL: 'silent' })
const platform = await boot(config, { role: 'worker', log: pino({ level: 'silent' }) })
const { pool, fork } = platform

try {
  await seedInstallation(platform)
  await createPartitions(fork(), new Date())
  const projectId = (await pool.query('SELECT project_id FROM client_keys LIMIT 1')).rows[0].project_id as number

  await fill(projectId)
  await measure(projectId, () => sleep(2000))
  const alone = await measure(projectId, () => sleep(10_000))
  const beside = await measure(projectId, () => deleteExpiredPartitions(fork(), retentionDays, new Date(), 60_000))
  const after = await measure(projectId, () => sleep(5000))

  report({ alone, 'while the day is dropped': beside, after })
} finally {
  await platform.close()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
}

/** Events of a few hundred bytes: the cost of a drop depends on the number of events and the size of their files. */
async function fill(projectId: number) {
  await createPartition(fork(), oldDay)
  const name = `error_events_${oldDay.replaceAll('-', '')}`
  const startedAt = performance.now()

  for (let from = 0; from < events; from += chunk) {
    await pool.query(
      `INSERT INTO ${name} (project_id, group_id, event_id, day, occurred_at, received_at, level, platform, payload)
       SELECT $1, n % 200, gen_random_uuid(), $2, now(), now(), 'error', 'node', decode(repeat(md5(n::text), 12), 'hex')
       FROM generate_series($3::int, $4::int) n`,
      [projectId, oldDay, from + 1, Math.min(from + chunk, events)]
    )
    print(`${Math.min(from + chunk, events)} events …`)
  }
  const { rows } = await pool.query(
    `SELECT count(*) AS events, pg_size_pretty(pg_relation_size($1)) AS rows, pg_size_pretty(pg_total_relation_size($1)) AS total FROM ${name}`,
    [name]
  )

  await pool.query('CHECKPOINT')
  print(`a day of ${rows[0].events} events: ${rows[0].rows} of rows, ${rows[0].total} with indexes; filled in ${seconds(startedAt)} s`)
}

/** Stores batches in sequence until `run` is done; returns the duration of each in ms. */
async function measure(projectId: number, run: () => Promise<unknown>) {
  const times: number[] = []
  const startedAt = performance.now()
  let isOver = false
  const running = run().finally(() => {
    isOver = true
  })

  const writer = new BatchWriter()

  do {
    const jobs = Array.from({ length: batch }, () => aJob(projectId))
    const begunAt = performance.now()

    await processEnvelopes(fork(), jobs, {
      limits: { inflated: config.envelope.maxInflated, attachment: config.envelope.maxAttachment },
      limiter: new InflateLimiter(),
      writer,
      rulesFor: () => compiledDefaults,
      filtersFor: () => undefined,
      resolve: async (_projectId, event) => event
    })
    times.push(performance.now() - begunAt)
  } while (!isOver)
  await running

  return { seconds: seconds(startedAt), times: times.toSorted((a, b) => a - b) }
}

function aJob(projectId: number): ReceivedEnvelope {
  const { id, body } = maker.next()

  return { projectId, keyId: 1, receivedAt: new Date().toISOString(), id, encoding: 'gzip', body }
}

function report(measured: Record<string, { seconds: string; times: number[] }>) {
  for (const [what, { seconds, times }] of Object.entries(measured)) {
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0)

    process.stdout.write(
      `${what.padEnd(26)} ${seconds.padStart(6)} s, ${times.length} batches of ${batch}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms\n`
    )
  }
}

function seconds(since: number) {
  return ((performance.now() - since) / 1000).toFixed(2)
}
