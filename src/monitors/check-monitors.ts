import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { type CheckConfig, openHeaders } from './http-check.ts'
import { type DoneCheck, type DueCheck, storeChecks, takeDueChecks } from './http-check-store.ts'
import { sendMonitorAlerts } from './monitor-alert-store.ts'
import { performCheck } from './perform-check.ts'

interface Deps {
  fork: () => EntityManager
  queues: Pick<Queues, 'nameFor' | 'enqueueBatch'>
  config: CheckConfig
  log: Logger
}

/** Requests that a round has in flight. */
const slots = 200
/**
 * Taken at a time, and from no project that has so many in flight: slow targets of one project hold less than half of the slots.
 */
const share = slots / 4
/** Checks that end within this time are stored together. */
const gatherMs = 100
/** A round then takes no more checks: the next one begins. */
const roundMs = 10_000

interface Round {
  at: Date
  ends: AbortSignal
  inFlight: Map<DueCheck, Promise<void>>
  done: DoneCheck[]
  /** All that is left belongs to these projects. Undefined while there may be others. */
  left: number[] | undefined
}

/** Does the checks that are due. Rounds overlap while the last checks of one wait for their answer. */
export async function checkMonitors(deps: Deps, at: Date, signal?: AbortSignal) {
  const round: Round = { at, ends: AbortSignal.timeout(roundMs), inFlight: new Map(), done: [], left: undefined }

  for (;;) {
    signal?.throwIfAborted()
    await fillSlots(deps, round)
    if (round.inFlight.size === 0 && round.done.length === 0) return
    if (round.done.length === 0) await Promise.race(round.inFlight.values())
    await sleep(gatherMs)
    await store(deps, round.done.splice(0), at)
  }
}

async function fillSlots({ fork, config }: Deps, round: Round) {
  const { at, ends, inFlight, done } = round

  while (slots - inFlight.size >= share && !ends.aborted) {
    const busy = busyProjects(inFlight.keys())

    if (round.left?.every(projectId => busy.includes(projectId))) return
    const due = await takeDueChecks(fork(), { at, limit: share, busy })

    for (const check of due) {
      const ended = perform(check, config).then(result => {
        inFlight.delete(check)
        done.push(result)
      })

      inFlight.set(check, ended)
    }
    round.left = due.length < share ? busy : undefined
  }
}

function busyProjects(checks: Iterable<DueCheck>) {
  return Map.groupBy(checks, ({ projectId }) => projectId)
    .entries()
    .filter(([, { length }]) => length >= share)
    .map(([projectId]) => projectId)
    .toArray()
}

async function perform(due: DueCheck, config: CheckConfig): Promise<DoneCheck> {
  const startedAt = new Date()
  const headers = await openHeaders(config, due).catch(() => undefined)
  const reason = headers
    ? await performCheck(due.http, { headers, allowsPrivate: config.outbound.allowsPrivate }, startedAt)
    : 'headers were encrypted with another SECRET_KEY'

  return { ...due, startedAt, durationMs: Date.now() - startedAt.getTime(), reason }
}

async function store({ fork, queues, log }: Deps, done: DoneCheck[], at: Date) {
  const hasAlerts = await fork().transactional(em => storeChecks(em, done, at))

  // Otherwise, the watch of the monitors sends them.
  if (hasAlerts) await sendMonitorAlerts(fork(), queues).catch(error => log.warn({ err: error }, 'alerts wait'))
}
