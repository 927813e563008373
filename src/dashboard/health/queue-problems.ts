import { counted } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { duration } from '#pages/layout/time.ts'
import { reasonName } from '#pages/projects/intake-health.ts'
import { type HealthProblem, problem, rate } from './health-problem.ts'
import type { Health } from './read-health.ts'

const lateSeconds = 60
const veryLateSeconds = 600
const almostFull = 0.8

/** Queues whose jobs may run for long. */
const hasLongJobs = new Set(['maintenance', 'storage-moves'])

/** Queues without workers, late or full ones, and items that are dropped. `queueItems` may wait in a queue. */
export function queueProblems({ queues, isQueueReady, processes, drops }: Health, queueItems: number): HealthProblem[] {
  if (!isQueueReady)
    return [
      problem('high', html`The queue does not answer`, html`Check Redis at <code>REDIS_URL</code>. Nothing is accepted until it is back.`)
    ]
  const hasWorker = processes.some(({ role, isGone }) => role === 'worker' && !isGone)
  const idle = queues.filter(({ workers }) => workers === 0).map(({ name }) => name)

  return [
    ...(hasWorker
      ? []
      : [problem('high', html`No worker runs`, html`Start one: <code>npm start -- worker=1</code>. Accepted items wait until then.`)]),
    ...(hasWorker && idle.length > 0
      ? [
          problem(
            'high',
            html`No worker processes ${idle.join(', ')}`,
            html`Start a worker for it: <code>node bin/tocsin.js worker ${idle.join(' ')}</code>.`
          )
        ]
      : []),
    ...queues.flatMap(({ name, oldestSeconds, waitingItems }) => [
      ...(oldestSeconds >= lateSeconds && (waitingItems > 0 || !hasLongJobs.has(name))
        ? [
            problem(
              oldestSeconds >= veryLateSeconds ? 'high' : 'medium',
              html`The oldest item in ${name} has waited for ${duration(oldestSeconds * 1000)}`,
              html`Compare the load of the <a href="#workers">workers</a>; if they are busy, <a href="#scaling">start more</a>. <a href="/admin/queues">Queues</a> shows what waits.`
            )
          ]
        : []),
      ...(waitingItems >= almostFull * queueItems
        ? [
            problem(
              'high',
              html`The queue ${name} is ${waitingItems >= queueItems ? 'full' : 'almost full'}`,
              html`Above ${counted(queueItems, 'item')} (<code>QUEUE_LIMIT</code>) new ones are refused. Start more workers.`
            )
          ]
        : [])
    ]),
    ...drops.map(({ reason, perSecond }) =>
      problem(
        'high',
        html`${rate(perSecond)} items per second are dropped: ${reasonName(reason)}`,
        html`See <a href="#drops">Dropped</a>, and the log of the web processes.`
      )
    )
  ]
}
