import type { QueueSample } from '#platform/queue/backlog/queue-sampler.ts'
import type { Queues } from '#platform/queue/queues.ts'

/** A queue with all its shards. */
export interface QueueState {
  name: string
  waitingItems: number
  oldestSeconds: number
  /** Jobs that wait for their turn, run, wait for their time, and failed. */
  jobs: Record<'waiting' | 'active' | 'delayed' | 'failed', number>
  /** Worker processes. */
  workers: number
  /** By how much the backlog shrinks. */
  drainedPerSecond: number
}

/** The last samples of this process, by queue. */
export function queueStates(queues: Queues, samples: Record<string, QueueSample>): QueueState[] {
  const states = new Map<string, QueueState>()

  for (const [name, sample] of Object.entries(samples)) {
    const queue = queues.queueOf(name)
    const { jobs, ...state } = states.get(queue) ?? emptyState(queue)
    const { waiting = 0, active = 0, delayed = 0, failed = 0 } = sample.jobs

    states.set(queue, {
      name: queue,
      waitingItems: state.waitingItems + sample.waitingItems,
      oldestSeconds: Math.max(state.oldestSeconds, sample.oldestSeconds),
      jobs: {
        waiting: jobs.waiting + waiting,
        active: jobs.active + active,
        delayed: jobs.delayed + delayed,
        failed: jobs.failed + failed
      },
      workers: Math.max(state.workers, sample.workers),
      drainedPerSecond: state.drainedPerSecond + sample.drain.perSecond
    })
  }

  return [...states.values()]
}

function emptyState(name: string): QueueState {
  return {
    name,
    waitingItems: 0,
    oldestSeconds: 0,
    jobs: { waiting: 0, active: 0, delayed: 0, failed: 0 },
    workers: 0,
    drainedPerSecond: 0
  }
}
