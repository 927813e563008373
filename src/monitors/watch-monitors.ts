import { randomUUID } from 'node:crypto'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { type LockedEnvironment, writeEnvironments } from './environment-store.ts'
import { addMonitorAlerts, type Change, sendMonitorAlerts } from './monitor-alert-store.ts'
import { countOutcome, skipMissed } from './monitor-state.ts'
import { newRun, type Run, writeRuns } from './run-store.ts'
import { lockLate, lockMissed } from './watch-store.ts'

interface Deps {
  fork: () => EntityManager
  queues: Pick<Queues, 'nameFor' | 'enqueueBatch'>
}

const batchSize = 500

/** Repeatable: each batch is found, changed and told in one transaction. */
export async function watch({ fork, queues }: Deps, at: Date, signal?: AbortSignal) {
  for (const endBatch of [endLate, endMissed]) {
    while ((await fork().transactional(em => endBatch(em, at))) === batchSize) signal?.throwIfAborted()
  }
  await sendMonitorAlerts(fork(), queues)
}

async function endMissed(em: EntityManager, at: Date) {
  const environments = await lockMissed(em, at, batchSize)
  const outcomes = environments.map(environment => {
    const run: Run = { ...newRun(environment, randomUUID(), environment.dueAt!), status: 'missed' }

    skipMissed(environment, at, environment)

    return { environment, run }
  })

  await end(em, outcomes, at)

  return environments.length
}

async function endLate(em: EntityManager, at: Date) {
  const late = await lockLate(em, at, batchSize)

  await end(
    em,
    late.map(({ environment, run }) => ({ environment, run: { ...run, status: 'timeout', lateAt: null } })),
    at
  )

  return late.length
}

async function end(em: EntityManager, outcomes: { environment: LockedEnvironment; run: Run }[], at: Date) {
  if (outcomes.length === 0) return
  const changes = outcomes.flatMap(({ environment, run }): Change[] => {
    const what = countOutcome(environment, run.status as 'missed' | 'timeout', environment)

    return what ? [{ environment: { ...environment }, what, run, at }] : []
  })

  await writeRuns(
    em,
    outcomes.map(({ run }) => run)
  )
  await writeEnvironments(em, [...new Set(outcomes.map(({ environment }) => environment))])
  await addMonitorAlerts(em, changes)
}
