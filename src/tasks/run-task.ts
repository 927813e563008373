import { LockMode } from '@mikro-orm/core'
import type { Logger } from 'pino'
import { Refusal } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isSerializationFailure, isUnavailable } from '#platform/problems.ts'
import { isInterrupted } from '#platform/queue/job-attempt.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { announceTask } from './announce-task.ts'
import { enqueueRun, type Run } from './enqueue-run.ts'
import { Task } from './task.ts'
import type { TaskKind } from './task-kind.ts'
import { takeOverTasks } from './task-store.ts'

interface RunDeps {
  fork: () => EntityManager
  queues: Pick<Queues, 'enqueue'>
  log: Logger
  signal: AbortSignal
}

/** After this long a run goes to the end of the queue, so that other jobs have their turn. */
const turnMs = 5000

/** Takes steps of a task for some seconds, and enqueues the rest. */
export async function takeTurn(deps: RunDeps, kinds: TaskKind[], run: Run) {
  const endsAt = Date.now() + turnMs
  let outcome: Outcome

  do {
    deps.signal.throwIfAborted()
    outcome = await tryStep(deps, kinds, run)
  } while (outcome === 'goes on' && Date.now() < endsAt)
  if (outcome === 'ended') return
  await enqueueRun(deps.fork(), deps.queues, run, outcome === 'goes on' ? 0 : outcome.pauseMs)
}

/** Recovers tasks whose job was lost. */
export async function resume(em: EntityManager, queues: Pick<Queues, 'enqueue'>, at: Date) {
  for (const { id, run } of await takeOverTasks(em, at)) await enqueueRun(em, queues, { taskId: id, run })
}

/** For a job that failed for good, as when its worker was killed twice: counts as one failure of the step. */
export async function countStop({ fork, queues }: Pick<RunDeps, 'fork' | 'queues'>, run: Run) {
  const pauseMs = await failStep(fork(), run, 'Its job failed repeatedly. The reason is in the log.')

  if (pauseMs !== undefined) await enqueueRun(fork(), queues, run, pauseMs)
}

type Outcome = 'goes on' | 'ended' | { pauseMs: number }

async function tryStep(deps: RunDeps, kinds: TaskKind[], run: Run): Promise<Outcome> {
  try {
    return await takeStep(deps, kinds, run)
  } catch (error) {
    // The job itself is tried again: no step is to blame.
    if (isInterrupted(error, deps.signal) || isUnavailable(error) || isSerializationFailure(error)) throw error
    deps.log.warn({ err: error, task: run.taskId }, 'a step of a task failed')
    const pauseMs = await failStep(deps.fork(), run, reasonOf(error))

    return pauseMs === undefined ? 'ended' : { pauseMs }
  }
}

function failStep(em: EntityManager, run: Run, reason: string) {
  return withTask(em, run, async (_em, task) => task.failStep(reason, new Date()))
}

async function takeStep({ fork, signal, log }: RunDeps, kinds: TaskKind[], run: Run): Promise<Outcome> {
  const outcome = await withTask(fork(), run, async (em, task) => {
    const kind = kinds.find(({ name }) => name === task.kind)

    if (!kind) {
      log.error({ task: task.id }, `this release has no tasks of the kind "${task.kind}"`)

      return 'ended' as const
    }
    task.advance(await kind.step(em, { params: task.params, cursor: task.cursor, task, at: new Date(), signal }), new Date())

    return task.isOpen() ? ('goes on' as const) : ('ended' as const)
  })

  return outcome ?? 'ended'
}

/** Changes an open task in a transaction, unless another run has replaced this one or takes a step right now. Tells pages that show it. */
function withTask<T>(em: EntityManager, { taskId: id, run }: Run, change: (em: EntityManager, task: Task) => Promise<T>) {
  return em.transactional(async em => {
    const where = { id, run, state: { $in: ['waiting' as const, 'running' as const] } }
    const task = await em.findOne(Task, where, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE })

    if (!task) return undefined
    const result = await change(em, task)

    await announceTask(em, task)

    return result
  })
}

function reasonOf(error: unknown) {
  if (!(error instanceof Refusal)) return 'An unexpected error occurred. Its details are in the log.'
  const text = error.message.replace(/_id\b/, '').replace(/\.$/, '')

  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
