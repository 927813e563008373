import type { QueueJob } from './backends/backend.ts'
import type { Queues } from './queues.ts'

/** Failed jobs with the same name and reason. */
export interface FailureGroup {
  queue: string
  job: string
  reason: string
  count: number
  lastAt: Date
}

export type FailureKey = Pick<FailureGroup, 'queue' | 'job' | 'reason'>

/** The newest failed jobs that are read of each queue. */
const maxRead = 100
/** Jobs that one request retries. */
const maxRetried = 1000

/** The newest failed jobs by queue, name and reason, the most frequent ones first. */
export async function listFailures(queues: Queues): Promise<FailureGroup[]> {
  const groups = new Map<string, FailureGroup>()

  for (const name of queues.names) {
    for (const job of (await queues.get(name).getFailed(0, maxRead - 1)) as QueueJob[]) {
      const { finishedOn = job.timestamp } = job
      const failure = keyOf(queues.queueOf(name), job)
      const key = JSON.stringify(failure)
      const { count = 0, lastAt = new Date(0) } = groups.get(key) ?? {}

      groups.set(key, { ...failure, count: count + 1, lastAt: new Date(Math.max(lastAt.getTime(), finishedOn)) })
    }
  }

  return [...groups.values()].sort((a, b) => b.count - a.count || b.lastAt.getTime() - a.lastAt.getTime())
}

/** Returns how many jobs go back to their queue. */
export async function retryFailures(queues: Queues, { queue, job, reason }: FailureKey) {
  if (!queues.has(queue)) return 0
  let retried = 0

  for (const name of queues.namesOf(queue)) {
    const failed = (await queues.get(name).getFailed(0, maxRetried - 1)) as QueueJob[]

    for (const one of failed) {
      const key = keyOf(queue, one)

      if (key.job === job && key.reason === reason) retried += await retry(one)
    }
  }

  return retried
}

/** 0 for a job that another admin has retried or removed. */
function retry(job: QueueJob) {
  return job.retry('failed').then(
    () => 1,
    () => 0
  )
}

/** Messages of one cause differ in numbers and ids. */
function keyOf(queue: string, { name, failedReason = '' }: QueueJob): FailureKey {
  const [line = ''] = failedReason.split('\n')

  return { queue, job: name, reason: line.replaceAll(/[0-9a-f]{8,}|\d+/gi, '…').slice(0, 300) || 'no reason' }
}
