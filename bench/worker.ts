import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { boot, type Platform } from '#boot.ts'
import { readConfig } from '#config.ts'
import { packEvent } from '#errors/events/payload.ts'
import { groupEvent } from '#errors/grouping/group-event.ts'
import type { ReceivedEnvelope } from '#errors/jobs.ts'
import { readFields } from '#errors/normalise/event-fields.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { splitEnvelope } from '#errors/parse/envelope.ts'
import { FrameCache } from '#errors/parse/frame-cache.ts'
import { parseEvent } from '#errors/parse/parse-event.ts'
import { processEnvelopes } from '#errors/pipeline/process-batch.ts'
import { processEnvelope } from '#errors/pipeline/process-envelope.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { scrub } from '#errors/scrub/scrub.ts'
import { BatchWriter } from '#errors/store/batch-writer.ts'
import { inflate } from '#lib/inflate.ts'
import { InflateLimiter } from '#lib/inflate-limiter.ts'
import { seedInstallation } from '#seed-installation.ts'
import { EmbeddedPostgres } from '../bin/postgres/embedded-postgres.js'
import { envelopeMaker } from './envelopes.ts'
import { median } from './percentiles.ts'
import { secretKey } from './system.ts'

const compiledDefaults = compileRules(defaultRules)
/** Time of a worker by processing step, and for a whole batch: µs per event. */
const batchSize = 100
const rounds = Number(process.env.BENCH_ROUNDS ?? 100)
const limits = { inflated: 200 << 20, attachment: 1 << 20 }
const maker = envelopeMaker()
const jobs = await aBatch(1)
const bodies = jobs.map(({ body }) => body)
const inflated = bodies.map(body => inflate(body, 'gzip', limits.inflated))
const payloads = inflated.map(bytes => splitEnvelope(bytes).items[0]!.payload)
const frameCache = new FrameCache()
const parse = (n: number) => parseEvent(payloads[n]!, { frameCache })!
const normalise = (n: number) => normaliseEvent(parse(n), frameCache.normaliseFrames)
const normalised = payloads.map((_, n) => normalise(n))
const options = {
  limits,
  limiter: new InflateLimiter(),
  frameCache,
  resolve: async (_projectId: number, event: Record<string, unknown>) => event
}
const now = new Date()

const steps: Record<string, (n: number) => unknown> = {
  inflate: n => inflate(jobs[n]!.body, 'gzip', limits.inflated),
  'split envelope': n => splitEnvelope(inflated[n]!),
  'JSON.parse alone': n => JSON.parse(payloads[n]!.toString()),
  'parse event': parse,
  'parse and normalise': normalise,
  'parse, normalise and scrub': n => scrub(normalise(n), compiledDefaults),
  'read fields': n => readFields(normalised[n]!, now),
  group: n => groupEvent(normalised[n]!, frameCache.readTrace),
  pack: n => packEvent(normalised[n]!),
  'all steps but storing': n => processEnvelope(jobs[n]!, { ...options, rules: compiledDefaults })
}

for (const [name, step] of Object.entries(steps)) print(name, await cost(step))
await withPlatform(measureStoring)

/** The fastest of many short rounds, which other load on the machine affects least. */
async function cost(step: (n: number) => unknown) {
  let best = Number.POSITIVE_INFINITY

  for (let round = 0; round < 5 * rounds; round++) {
    const startedAt = performance.now()

    for (let n = 0; n < 20; n++) await step((round * 20 + n) % batchSize)
    best = Math.min(best, (performance.now() - startedAt) / 20)
  }

  return best * 1000
}

async function measureStoring({ fork, pool }: Platform) {
  const { rows } = await pool.query('SELECT id FROM projects ORDER BY id LIMIT 1')
  const times: number[] = []
  let begin = process.threadCpuUsage()

  for (let round = -rounds / 4; round < rounds; round++) {
    const batch = await aBatch(Number(rows[0].id))

    if (round === 0) begin = process.threadCpuUsage()
    const startedAt = performance.now()

    await processEnvelopes(fork(), batch, {
      ...options,
      writer: new BatchWriter(),
      rulesFor: () => compiledDefaults,
      filtersFor: () => undefined
    })
    if (round >= 0) times.push(((performance.now() - startedAt) * 1000) / batchSize)
  }
  const { user, system } = process.threadCpuUsage(begin)

  print('receive, CPU time of this thread', (user + system) / batchSize / rounds)
  print('receive, until it is committed', median(times))
}

async function aBatch(projectId: number): Promise<ReceivedEnvelope[]> {
  const receivedAt = new Date().toISOString()

  return Array.from({ length: batchSize }, () => {
    const { id, body } = maker.next()

    return { projectId, keyId: 1, receivedAt, id, encoding: 'gzip', body }
  })
}

async function withPlatform(measure: (platform: Platform) => Promise<void>) {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
  const postgres = new EmbeddedPostgres({ dataDir: dir })

  await postgres.prepare()
  await postgres.start()
  const log = pino({ level: 'silent' })
  const config = readConfig({
    DATABASE_URL: postgres.url,
    SECRET_KEY: secretKey,
    ROOT_TOKEN: 'glpat-bench-bench-bench',
    ROOT_PASSWORD: 'bench-bench'
  })
  const platform = await boot(config, { role: 'worker', log })

  try {
    await seedInstallation(platform)
    await measure(platform)
  } finally {
    await platform.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function print(name: string, micros: number) {
  process.stdout.write(`${name.padEnd(34)} ${micros.toFixed(1).padStart(8)} µs\n`)
}
