import type { EntityManager } from '../../database/database.ts'
import type { Storages } from '../../git/storages.ts'
import { QueueSampler } from '../../queue/backlog/queue-sampler.ts'
import type { Queues } from '../../queue/queues.ts'
import { readDisks } from '../disks.ts'
import { levels, minutely, secondsBefore, startOf } from './levels.ts'
import { deleteSamples, hasSample, insertSample, readSamples, readTableSizes, readTotals, type SampleValues } from './sample-store.ts'

export interface SampleDeps {
  em: EntityManager
  queues: Queues
  git: { storages: Storages }
  config: { dataDir: string }
}

/** Values of a moment start with this; others are totals. Rows of lower resolution have the highest one. */
export const peakPrefix = 'queue_'

/** Tables with a series of their own. */
const maxTables = 12

/** Records the state of this minute, once, whoever calls it, and combines samples into those of lower resolution. */
export async function takeSample(deps: SampleDeps, now: Date) {
  const at = startOf(minutely, now)

  if (await hasSample(deps.em, minutely.seconds, at)) return
  await insertSample(deps.em, minutely.seconds, { at, values: { ...(await readTotals(deps.em)), ...(await readQueues(deps.queues)) } })
  for (const [n, level] of levels.entries()) {
    if (n > 0) await rollUp(deps, levels[n - 1]!, level, startOf(level, now))
    await deleteSamples(deps.em, level.seconds, secondsBefore(now, level.keptSeconds))
  }
}

async function readQueues(queues: Queues) {
  const sampler = new QueueSampler(queues)
  const values: SampleValues = {}

  for (const name of queues.names) {
    const { waitingItems, oldestSeconds, jobs } = await sampler.sample(name, 0)
    const queue = queues.queueOf(name)
    const [waiting, oldest, failed] = ['waiting', 'oldest', 'failed'].map(what => queueValue(what, queue)) as [string, string, string]

    values[waiting] = (values[waiting] ?? 0) + waitingItems
    values[oldest] = Math.max(values[oldest] ?? 0, Math.round(oldestSeconds * 10) / 10)
    values[failed] = (values[failed] ?? 0) + (jobs.failed ?? 0)
  }

  return values
}

export function queueValue(what: string, queue: string) {
  return `${peakPrefix}${what}{queue="${queue}"}`
}

/** Sizes change slowly, and take longer to read: rows of lower resolution have them. */
async function rollUp(deps: SampleDeps, from: { seconds: number }, to: { seconds: number }, at: Date) {
  if (await hasSample(deps.em, to.seconds, at)) return
  const samples = await readSamples(deps.em, from.seconds, secondsBefore(at, to.seconds), at)
  const values = combine(samples.map(({ values }) => values))

  if (samples.length > 0) await insertSample(deps.em, to.seconds, { at, values: { ...values, ...(await readSizes(deps)) } })
}

function combine(samples: SampleValues[]) {
  const combined: SampleValues = { ...samples.at(-1) }

  for (const values of samples)
    for (const [name, value] of Object.entries(values))
      if (name.startsWith(peakPrefix)) combined[name] = Math.max(combined[name] ?? 0, value)

  return combined
}

async function readSizes({ em, git, config }: SampleDeps) {
  const tables = await readTableSizes(em)
  const disks = await readDisks(git.storages, config.dataDir)

  return Object.fromEntries([
    ['database_bytes', tables.reduce((sum, { bytes }) => sum + bytes, 0)],
    ...tables.slice(0, maxTables).map(({ name, bytes }) => [tableValue(name), bytes]),
    ...disks.flatMap(({ name, freeBytes }) => (freeBytes === undefined ? [] : [[diskValue(name), freeBytes]]))
  ]) as SampleValues
}

export function tableValue(table: string) {
  return `table_bytes{table="${table}"}`
}

export function diskValue(disk: string) {
  return `disk_free_bytes{disk="${disk}"}`
}
