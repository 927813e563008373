import type { Logger } from 'pino'
import { QueueFull } from '../problems.ts'
import { readBatchId } from './job.ts'
import type { Queues } from './queues.ts'

export interface Seen {
  jobs: Record<string, number>
  waitingItems: number
  oldestSeconds: number
  workers: number
}

/** Enough ids to tell the size of the batches from; beyond, their mean is taken for all. */
const sample = 1000
const states = ['waiting', 'active', 'delayed', 'failed'] as const

/** Looks at the queues once a second, so that neither the door nor a scrape has to. */
export class Backlog {
  #queues: Queues
  #limit: number
  #log: Logger
  #timer?: NodeJS.Timeout
  #isStopped = false
  #sinceSeen = new Map<string, number>()
  seen: Record<string, Seen> = {}

  constructor(queues: Queues, limit: number, log: Logger) {
    this.#queues = queues
    this.#limit = limit
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

  /** To be told of what goes in, so that a second's rush does not run past the limit unseen. */
  added(name: string, items: number) {
    this.#sinceSeen.set(name, (this.#sinceSeen.get(name) ?? 0) + items)
  }

  /** Throws when a queue holds as much as it may. */
  refuseWhenFull(queue: string) {
    const waiting = this.#queues
      .namesOf(queue)
      .reduce((sum, name) => sum + (this.seen[name]?.waitingItems ?? 0) + (this.#sinceSeen.get(name) ?? 0), 0)

    if (waiting >= this.#limit) throw new QueueFull(queue)
  }

  async look() {
    for (const name of this.#queues.names) {
      try {
        const seen = await this.#lookAt(name)

        this.#sinceSeen.set(name, 0)
        this.seen[name] = seen
      } catch (error) {
        this.#log.debug({ err: error, queue: name }, 'the queue could not be looked at')
      }
    }
  }

  async #lookAt(name: string): Promise<Seen> {
    const queue = this.#queues.get(name)
    const [jobs, workers] = await Promise.all([queue.getJobCounts(...states), queue.getWorkersCount()])
    const waiting = jobs.waiting ?? 0
    const ids = (type: 'wait' | 'active' | 'delayed', count: number, most: number) =>
      count === 0
        ? []
        : queue
            .getBackend()
            .getRanges([type], Math.max(0, count - most), count - 1)
            .then(([ids = []]) => ids as string[])
    // Newest first, so the last ones are the oldest.
    const [oldest, active, delayed] = await Promise.all([
      ids('wait', waiting, sample),
      ids('active', jobs.active ?? 0, 100),
      ids('delayed', jobs.delayed ?? 0, 100)
    ])
    const items = oldest.reduce((sum, id) => sum + (readBatchId(id)?.count ?? 1), 0)
    const since = await this.#oldestOf(name, [...active, ...delayed.filter(id => readBatchId(id)), ...oldest.slice(-1)])

    return {
      jobs,
      workers,
      waitingItems: waiting <= sample ? items : Math.round((items / oldest.length) * waiting),
      oldestSeconds: since ? Math.max(0, (Date.now() - since) / 1000) : 0
    }
  }

  async #oldestOf(name: string, ids: string[]) {
    const times = await Promise.all(ids.map(async id => readBatchId(id)?.at ?? (await this.#queues.get(name).getJob(id))?.timestamp))

    return times.reduce<number | undefined>((least, at) => (at && (!least || at < least) ? at : least), undefined)
  }
}
