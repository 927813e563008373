import type { Logger } from 'pino'
import { QueueFull } from '../problems.ts'
import { readBatchId } from './job.ts'
import type { Queues } from './queues.ts'
import { currentRound, isOutdated, nextRound, priorityOf } from './turns.ts'

export interface Seen {
  jobs: Record<string, number>
  waitingItems: number
  oldestSeconds: number
  workers: number
  /** Waiting items by tenant. */
  turns: Map<number, number>
  /** The round that the workers are at; undefined when nothing waits. */
  round?: number
}

interface Added {
  items: number
  turns: Map<number, number>
}

/** Up to so many ids are read whole; of more, slices that are evenly spread stand for the rest. */
const sample = 1000
const slices = 5
const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const

/**
 * Looks at the queues once a second, so that neither intake nor a scrape has to. What waits is read from the ids of the
 * jobs, so every web process knows it, from its start on; what others have added since is missed for a second at most.
 * A job of several tenants counts for the one with most of it, and a long backlog is estimated: enough for limits.
 */
export class Backlog {
  #queues: Queues
  #limit: number
  #tenantLimit: number
  #log: Logger
  #timer?: NodeJS.Timeout
  #isStopped = false
  #sinceSeen = new Map<string, Added>()
  seen: Record<string, Seen> = {}

  constructor(queues: Queues, { limit, tenantPercent }: { limit: number; tenantPercent: number }, log: Logger) {
    this.#queues = queues
    this.#limit = limit
    this.#tenantLimit = (limit * tenantPercent) / 100
    this.#log = log
  }

  async start(everyMs = 1000) {
    await this.look()
    if (!this.#isStopped) this.#timer = setTimeout(() => this.start(everyMs), everyMs).unref()
  }

  stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Counts items that this process adds between two looks. */
  added(name: string, items: number, turn?: number) {
    const added = this.#sinceSeen.get(name) ?? { items: 0, turns: new Map() }

    added.items += items
    if (turn !== undefined) added.turns.set(turn, (added.turns.get(turn) ?? 0) + items)
    this.#sinceSeen.set(name, added)
  }

  /** Throws when a queue, or a tenant in it, holds as many items as it may. */
  refuseWhenFull(queue: string, turn?: number) {
    const names = this.#queues.namesOf(queue)
    const waiting = names.reduce((sum, name) => sum + (this.seen[name]?.waitingItems ?? 0) + (this.#sinceSeen.get(name)?.items ?? 0), 0)

    if (waiting >= this.#limit) throw new QueueFull(queue)
    if (turn === undefined) return
    if (names.reduce((sum, name) => sum + this.waitingOf(name, turn), 0) >= this.#tenantLimit) throw new QueueFull(queue, true)
  }

  waitingOf(name: string, turn: number) {
    return (this.seen[name]?.turns.get(turn) ?? 0) + (this.#sinceSeen.get(name)?.turns.get(turn) ?? 0)
  }

  /** The round of the next items of a tenant. */
  roundOf(name: string, turn: number) {
    return nextRound(currentRound(this.seen[name]?.round), this.waitingOf(name, turn))
  }

  async look() {
    for (const name of this.#queues.names) {
      try {
        const seen = await this.#lookAt(name)

        this.#sinceSeen.delete(name)
        this.seen[name] = seen
      } catch (error) {
        this.#log.debug({ err: error, queue: name }, 'the queue could not be looked at')
      }
    }
  }

  async #lookAt(name: string): Promise<Seen> {
    const queue = this.#queues.get(name)
    const [jobs, workers] = await Promise.all([queue.getJobCounts(...states), queue.getWorkersCount()])
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = jobs
    // Newest first, so the last ones are the oldest; but prioritized ones in their order.
    const [plain, ranked, busy, late] = await Promise.all([
      this.#sample(name, 'wait', waiting),
      this.#sample(name, 'prioritized', prioritized),
      this.#ids(name, 'active', Math.max(0, active - 100), active - 1),
      this.#ids(name, 'delayed', Math.max(0, delayed - 100), delayed - 1)
    ])
    const rankedBatches = batchesOf(ranked)
    const turns = new Map<number, number>()

    for (const { turn, weight } of rankedBatches) turns.set(turn, (turns.get(turn) ?? 0) + (weight * prioritized) / ranked.length)
    await this.#renew(name, ranked)
    const since = await this.#oldestOf(name, [...busy, ...[...late, ...ranked].filter(id => readBatchId(id)), ...plain.slice(-1)])

    return {
      jobs: { waiting: waiting + prioritized, active, delayed, failed: jobs.failed ?? 0 },
      workers,
      waitingItems: estimate(plain, waiting) + estimate(ranked, prioritized),
      oldestSeconds: since ? Math.max(0, (Date.now() - since) / 1000) : 0,
      turns,
      round: roundAt(batchesOf(busy)) ?? rankedBatches[0]?.round
    }
  }

  async #sample(name: string, type: 'wait' | 'prioritized', count: number) {
    if (count <= sample) return this.#ids(name, type, 0, count - 1)
    const size = sample / slices
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

  /** Priorities begin anew after 24 days; jobs from before would otherwise wait behind every newer one. */
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

function batchesOf(ids: string[]) {
  return ids.flatMap(id => readBatchId(id) ?? [])
}

/** Workers take the lowest round first, so they are at the highest one that is active. */
function roundAt(active: { round: number }[]) {
  const rounds = active.flatMap(({ round }) => round || [])

  return rounds.length > 0 ? Math.max(...rounds) : undefined
}

function estimate(ids: string[], count: number) {
  const items = ids.reduce((sum, id) => sum + (readBatchId(id)?.weight ?? 1), 0)

  return ids.length > 0 ? Math.round((items / ids.length) * count) : 0
}
