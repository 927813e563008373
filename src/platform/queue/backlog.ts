import type { Logger } from 'pino'
import { QueueFull } from '../problems.ts'
import { Drain } from './drain.ts'
import { readBatchId } from './job.ts'
import type { Queues } from './queues.ts'
import { currentRound, isOutdated, nextRound, priorityOf } from './turns.ts'

export interface QueueSample {
  jobs: Record<string, number>
  waitingItems: number
  oldestSeconds: number
  /** Connected workers that send heartbeats. */
  workers: number
  drain: Drain
  /** Waiting weight by tenant. */
  turns: Map<number, number>
  /** The round being processed; undefined when nothing waits. */
  round?: number
}

interface Added {
  items: number
  turns: Map<number, number>
}

/** Up to this many ids are read; a longer backlog is estimated from evenly spread slices. */
const sampleSize = 1000
const slices = 5
const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const

/**
 * Samples the queues once a second, so that requests and scrapes need no query. Job ids contain weight and tenant, so
 * every web process sees the same backlog; items added by others are missed for at most a second. A job of several
 * tenants counts for its heaviest one, and a long backlog is estimated.
 */
export class Backlog {
  #queues: Queues
  #limit: number
  #tenantLimit: number
  #log: Logger
  #listFrozen: () => Promise<string[]>
  #timer?: NodeJS.Timeout
  #isStopped = false
  #addedSinceSample = new Map<string, Added>()
  samples: Record<string, QueueSample> = {}

  /** `listFrozen` lists the processes without a recent heartbeat: a stopped process keeps its connections. */
  constructor(
    queues: Queues,
    { limit, tenantPercent }: { limit: number; tenantPercent: number },
    log: Logger,
    listFrozen: () => Promise<string[]> = async () => []
  ) {
    this.#listFrozen = listFrozen
    this.#queues = queues
    this.#limit = limit
    this.#tenantLimit = (limit * tenantPercent) / 100
    this.#log = log
  }

  async start(everyMs = 1000) {
    await this.sample()
    if (!this.#isStopped) this.#timer = setTimeout(() => this.start(everyMs), everyMs).unref()
  }

  stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Counts items that this process adds between two samples. */
  added(name: string, items: number, turn?: number) {
    const added = this.#addedSinceSample.get(name) ?? { items: 0, turns: new Map() }

    added.items += items
    if (turn !== undefined) added.turns.set(turn, (added.turns.get(turn) ?? 0) + items)
    this.#addedSinceSample.set(name, added)
  }

  /** Throws when a queue, or a tenant's share of it, is full. */
  refuseWhenFull(queue: string, turn?: number) {
    const names = this.#queues.namesOf(queue)
    const waiting = names.reduce(
      (sum, name) => sum + (this.samples[name]?.waitingItems ?? 0) + (this.#addedSinceSample.get(name)?.items ?? 0),
      0
    )

    if (waiting >= this.#limit) throw new QueueFull(queue)
    if (turn === undefined) return
    if (names.reduce((sum, name) => sum + this.waitingOf(name, turn), 0) >= this.#tenantLimit) throw new QueueFull(queue, true)
  }

  waitingOf(name: string, turn: number) {
    return (this.samples[name]?.turns.get(turn) ?? 0) + (this.#addedSinceSample.get(name)?.turns.get(turn) ?? 0)
  }

  /** The round of a tenant's next item. */
  roundOf(name: string, turn: number) {
    return nextRound(currentRound(this.samples[name]?.round), this.waitingOf(name, turn))
  }

  async sample() {
    const frozen = await this.#listFrozen().catch(() => [])

    for (const name of this.#queues.names) {
      try {
        const sample = await this.#sampleQueue(name, frozen)

        this.#addedSinceSample.delete(name)
        this.samples[name] = sample
      } catch (error) {
        this.#log.debug({ err: error, queue: name }, 'failed to sample the queue')
      }
    }
  }

  async #sampleQueue(name: string, frozen: string[]): Promise<QueueSample> {
    const queue = this.#queues.get(name)
    const [jobs, workers] = await Promise.all([queue.getJobCounts(...states), queue.getWorkers()])
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = jobs
    // Ids come newest first; prioritized ones in processing order.
    const [waitIds, prioritizedIds, activeIds, delayedIds] = await Promise.all([
      this.#readIds(name, 'wait', waiting),
      this.#readIds(name, 'prioritized', prioritized),
      this.#ids(name, 'active', Math.max(0, active - 100), active - 1),
      this.#ids(name, 'delayed', Math.max(0, delayed - 100), delayed - 1)
    ])
    const prioritizedBatches = batchesOf(prioritizedIds)
    const turns = new Map<number, number>()

    for (const { turn, weight } of prioritizedBatches)
      turns.set(turn, (turns.get(turn) ?? 0) + (weight * prioritized) / prioritizedIds.length)
    await this.#renew(name, prioritizedIds)
    const since = await this.#oldestOf(name, [
      ...activeIds,
      ...[...delayedIds, ...prioritizedIds].filter(id => readBatchId(id)),
      ...waitIds.slice(-1)
    ])

    const waitingItems = estimate(waitIds, waiting) + estimate(prioritizedIds, prioritized)
    const drain = this.samples[name]?.drain ?? new Drain()

    drain.add(waitingItems)

    return {
      jobs: { waiting: waiting + prioritized, active, delayed, failed: jobs.failed ?? 0 },
      workers: workers.filter(({ rawname }) => !isFrozen(rawname, frozen)).length,
      drain,
      waitingItems,
      oldestSeconds: since ? Math.max(0, (Date.now() - since) / 1000) : 0,
      turns,
      round: roundAt(batchesOf(activeIds)) ?? prioritizedBatches[0]?.round
    }
  }

  async #readIds(name: string, type: 'wait' | 'prioritized', count: number) {
    if (count <= sampleSize) return this.#ids(name, type, 0, count - 1)
    const size = sampleSize / slices
    const starts = Array.from({ length: slices }, (_, n) => Math.round((n * (count - size)) / (slices - 1)))

    return (await Promise.all(starts.map(start => this.#ids(name, type, start, start + size - 1)))).flat()
  }

  async #ids(name: string, type: 'wait' | 'prioritized' | 'active' | 'delayed', first: number, last: number) {
    if (last < first) return []
    const [ids = []] = await this.#queues
      .get(name)
      .getBackend()
      .getRanges([type], first, last, type === 'prioritized')

    return ids as string[]
  }

  /** Priorities restart every 24 days; older jobs would wait behind every newer one. */
  async #renew(name: string, ids: string[]) {
    for (const id of ids) {
      const batch = readBatchId(id)

      if (batch && isOutdated(batch.at)) await this.#queues.get(name).getBackend().changePriority(id, priorityOf(batch.round))
    }
  }

  async #oldestOf(name: string, ids: string[]) {
    const times = await Promise.all(ids.map(async id => readBatchId(id)?.at ?? (await this.#queues.get(name).getJob(id))?.timestamp))

    return times.reduce<number | undefined>((least, at) => (at && (!least || at < least) ? at : least), undefined)
  }
}

/** A worker's connection is named `queue:w:process`; Postgres cuts long names. */
function isFrozen(connection: string | undefined, frozen: string[]) {
  const [, process] = connection?.split(':w:') ?? []

  return Boolean(process && frozen.some(name => name.startsWith(process)))
}

function batchesOf(ids: string[]) {
  return ids.flatMap(id => readBatchId(id) ?? [])
}

/** Workers take the lowest round first, so the highest active round is the current one. */
function roundAt(active: { round: number }[]) {
  const rounds = active.flatMap(({ round }) => round || [])

  return rounds.length > 0 ? Math.max(...rounds) : undefined
}

function estimate(ids: string[], count: number) {
  const items = ids.reduce((sum, id) => sum + (readBatchId(id)?.weight ?? 1), 0)

  return ids.length > 0 ? Math.round((items / ids.length) * count) : 0
}
