import { readBatchId } from '../job.ts'
import type { Queues } from '../queues.ts'
import { Drain } from './drain.ts'
import { isOutdated, priorityOf } from './turns.ts'

export interface QueueSample {
  jobs: Record<string, number>
  waitingItems: number
  oldestSeconds: number
  /** Workers that send heartbeats. */
  workers: number
  drain: Drain
  waitingByTenant: Map<number, number>
  /** The round being processed; undefined when nothing waits. */
  round?: number
}

/** Up to this many ids are read; a longer backlog is estimated from evenly spread slices. */
const sampleSize = 1000
const slices = 5
const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const

/** Measures queues from the ids of their jobs. A job of several tenants counts for its heaviest one. */
export class QueueSampler {
  #queues: Queues

  constructor(queues: Queues) {
    this.#queues = queues
  }

  async sample(name: string, workers: number, drain = new Drain()): Promise<QueueSample> {
    const queue = this.#queues.get(name)
    const jobs = await queue.getJobCounts(...states)
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = jobs
    // Ids come newest first; prioritized ones in processing order.
    const [waitIds, prioritizedIds, activeIds, delayedIds] = await Promise.all([
      this.#readIds(name, 'wait', waiting),
      this.#readIds(name, 'prioritized', prioritized),
      this.#ids(name, 'active', Math.max(0, active - 100), active - 1),
      this.#ids(name, 'delayed', Math.max(0, delayed - 100), delayed - 1)
    ])
    const prioritizedBatches = batchesOf(prioritizedIds)
    const waitingByTenant = new Map<number, number>()

    for (const { tenant, weight } of prioritizedBatches)
      waitingByTenant.set(tenant, (waitingByTenant.get(tenant) ?? 0) + (weight * prioritized) / prioritizedIds.length)
    await this.#renew(name, prioritizedIds)
    const since = await this.#oldestOf(name, [
      ...activeIds,
      ...[...delayedIds, ...prioritizedIds].filter(id => readBatchId(id)),
      ...waitIds.slice(-1)
    ])

    const waitingItems = estimate(waitIds, waiting) + estimate(prioritizedIds, prioritized)

    drain.add(waitingItems)

    return {
      jobs: { waiting: waiting + prioritized, active, delayed, failed: jobs.failed ?? 0 },
      workers,
      drain,
      waitingItems,
      oldestSeconds: since ? Math.max(0, (Date.now() - since) / 1000) : 0,
      waitingByTenant,
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
    const times = await Promise.all(ids.map(async id => readBatchId(id)?.at ?? (await this.#dueAt(name, id))))

    return times.reduce<number | undefined>((least, at) => (at && (!least || at < least) ? at : least), undefined)
  }

  /** A recurring job is added long before it is due. */
  async #dueAt(name: string, id: string) {
    const job = await this.#queues.get(name).getJob(id)

    return job && job.timestamp + (job.opts.delay ?? 0)
  }
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
