import type { SingleContract } from './job.ts'
import { backoff, type Queues } from './queues.ts'

/** A recurring job: contract, item and schedule. */
export interface Scheduled {
  id: string
  contract: SingleContract
  item: unknown
  /** A cron pattern (UTC), or an interval in seconds. */
  pattern?: string
  everySeconds?: number
}

/** Makes BullMQ's job schedulers equal to this list: adds, updates and removes. */
export function applySchedule(queues: Queues, schedule: Scheduled[]) {
  return queues.backend.alone(() => applyTo(queues, schedule))
}

async function applyTo(queues: Queues, schedule: Scheduled[]) {
  for (const name of queues.names) {
    const queue = queues.get(name)
    const scheduled = schedule.filter(({ contract }) => contract.queue === name)
    const present = await queue.getJobSchedulers(0, -1)

    for (const { key } of present) if (!scheduled.some(({ id }) => id === key)) await queue.removeJobScheduler(key)
    for (const { id, contract, item, pattern, everySeconds } of scheduled) {
      await queue.upsertJobScheduler(id, pattern ? { pattern, tz: 'UTC' } : { every: everySeconds! * 1000 }, {
        name: contract.name,
        data: { items: [item] },
        opts: { attempts: contract.attempts, backoff, removeOnComplete: { count: 20 }, removeOnFail: { age: 30 * 24 * 3600 } }
      })
    }
  }
}
