import type { SingleContract } from './job.ts'
import { backoff, type Queues } from './queues.ts'

/** Something that runs by the clock: a contract, what to give it, and when. */
export interface Scheduled {
  id: string
  contract: SingleContract
  item: unknown
  /** A cron pattern (UTC), or an interval in seconds. */
  pattern?: string
  everySeconds?: number
}

/** Makes the clock's jobs be exactly these: new ones are added, changed ones changed, former ones removed. */
export function keepSchedule(queues: Queues, schedule: Scheduled[]) {
  return queues.backend.alone(() => keep(queues, schedule))
}

async function keep(queues: Queues, schedule: Scheduled[]) {
  for (const name of queues.names) {
    const queue = queues.get(name)
    const wanted = schedule.filter(({ contract }) => contract.queue === name)
    const present = await queue.getJobSchedulers(0, -1)

    for (const { key } of present) if (!wanted.some(({ id }) => id === key)) await queue.removeJobScheduler(key)
    for (const { id, contract, item, pattern, everySeconds } of wanted) {
      await queue.upsertJobScheduler(id, pattern ? { pattern, tz: 'UTC' } : { every: everySeconds! * 1000 }, {
        name: contract.name,
        data: { items: [item] },
        opts: { attempts: contract.attempts, backoff, removeOnComplete: { count: 20 }, removeOnFail: { age: 30 * 24 * 3600 } }
      })
    }
  }
}
