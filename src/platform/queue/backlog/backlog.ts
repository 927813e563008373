import type { Logger } from 'pino'
import { QueueFull } from '#platform/problems.ts'
import type { Queues } from '../queues.ts'
import { type QueueSample, QueueSampler } from './queue-sampler.ts'
import { currentRound, maxShared, nextRound } from './turns.ts'

interface Added {
  items: number
  byTenant: Map<number, number>
}

/**
 * Samples the queues once a second, so that requests and scrapes need no query. Job ids contain weight and tenant, so
 * every web process sees the same backlog; items added by others are missed for at most a second.
 */
export class Backlog {
  #queues: Queues
  #sampler: QueueSampler
  #limit: number
  #tenantLimit: number
  #log: Logger
  #listWorkers: () => Promise<string[][]>
  #timer?: NodeJS.Timeout
  #isStopped = false
  #addedSinceSample = new Map<string, Added>()
  #addedBeforeSample = new Map<string, Added | undefined>()
  samples: Record<string, QueueSample> = {}

  /** `listWorkers` lists the queues of each worker. */
  constructor(
    queues: Queues,
    { limit, tenantPercent }: { limit: number; tenantPercent: number },
    log: Logger,
    listWorkers: () => Promise<string[][]> = async () => []
  ) {
    this.#listWorkers = listWorkers
    this.#queues = queues
    this.#sampler = new QueueSampler(queues)
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
  added(name: string, items: number, tenant?: number) {
    const added = this.#addedSinceSample.get(name) ?? { items: 0, byTenant: new Map() }

    added.items += items
    if (tenant !== undefined) added.byTenant.set(tenant, (added.byTenant.get(tenant) ?? 0) + items)
    this.#addedSinceSample.set(name, added)
  }

  /** Throws when a queue, or a tenant's share of it, is full. */
  refuseWhenFull(queue: string, tenant?: number) {
    const names = this.#queues.namesOf(queue)
    const waiting = names.reduce(
      (sum, name) => sum + (this.samples[name]?.waitingItems ?? 0) + (this.#addedSinceSample.get(name)?.items ?? 0),
      0
    )

    if (waiting >= this.#limit) throw new QueueFull(queue)
    if (tenant === undefined) return
    if (names.reduce((sum, name) => sum + this.waitingOf(name, tenant), 0) >= this.#tenantLimit) throw new QueueFull(queue, true)
  }

  waitingOf(name: string, tenant: number) {
    return (this.samples[name]?.waitingByTenant.get(tenant) ?? 0) + (this.#addedSinceSample.get(name)?.byTenant.get(tenant) ?? 0)
  }

  /** A tenant with many items that wait, or that this process added within the last one to two seconds. */
  isBusy(name: string, tenant: number) {
    return this.waitingOf(name, tenant) + (this.#addedBeforeSample.get(name)?.byTenant.get(tenant) ?? 0) >= maxShared
  }

  /** The round of the next job of a busy tenant, or of all others. */
  roundOf(name: string, busyTenant?: number) {
    const current = currentRound(this.samples[name]?.round)

    return busyTenant === undefined ? current : nextRound(current, this.waitingOf(name, busyTenant))
  }

  async sample() {
    const workers = (await this.#listWorkers().catch(() => [])).flatMap(queues => queues.flatMap(queue => this.#queues.namesOf(queue)))

    for (const name of this.#queues.names) {
      try {
        const count = workers.filter(worked => worked === name).length
        const sample = await this.#sampler.sample(name, count, this.samples[name]?.drain)

        this.#addedBeforeSample.set(name, this.#addedSinceSample.get(name))
        this.#addedSinceSample.delete(name)
        this.samples[name] = sample
      } catch (error) {
        this.#log.debug({ err: error, queue: name }, 'failed to sample the queue')
      }
    }
  }
}
