import type { EntityManager } from '#platform/database/database.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { runTask } from './jobs.ts'
import { countEarlierTasks } from './task-store.ts'

export type Run = ItemOf<typeof runTask>

/** Below BullMQ's own limit. */
const maxPriority = 100_000

/**
 * Fair turns: jobs without a priority come first, so tasks never delay other maintenance. Then the first task of each author, then the
 * second ones: whoever deletes a hundred projects takes as many turns as whoever deletes one.
 */
export async function enqueueRun(em: EntityManager, queues: Pick<Queues, 'enqueue'>, run: Run, delay = 0) {
  const priority = Math.min(1 + (await countEarlierTasks(em, run.taskId)), maxPriority)

  await queues.enqueue(runTask, run, { priority, ...(delay > 0 && { delay }) })
}
