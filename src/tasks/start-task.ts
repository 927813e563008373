import type { Logger } from 'pino'
import type { Actor } from '#audit/record-audit-event.ts'
import { makeStorable } from '#lib/storable-text.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { originOf } from './actor.ts'
import { announceTask } from './announce-task.ts'
import { enqueueRun } from './enqueue-run.ts'
import { Task } from './task.ts'
import type { TaskKind } from './task-kind.ts'

interface NewTask<Params> {
  /** What people read, such as "Resolving errors". */
  title: string
  projectId?: number
  params: Params
  total?: number | null
}

/** Adds a task in the caller's transaction. Enqueue it with `enqueueTask` after the commit. */
export async function startTask<Params, Cursor>(
  em: EntityManager,
  kind: TaskKind<Params, Cursor>,
  { title, projectId, params, total }: NewTask<Params>,
  by: Actor,
  at: Date
) {
  const task = em.create(Task, {
    kind: kind.name,
    title,
    author: by.user?.id ?? null,
    origin: originOf(by),
    projectId: projectId ?? null,
    params: makeStorable(JSON.parse(JSON.stringify(params))),
    cursor: null,
    total: total ?? null,
    leasedUntil: at
  })

  task.extendLease(at)
  await em.flush()
  await announceTask(em, task)

  return task
}

export interface EnqueueDeps {
  queues: Pick<Queues, 'enqueue'>
  log: Logger
}

/** If the queue is unreachable, the schedule enqueues it later. */
export async function enqueueTask(em: EntityManager, { queues, log }: EnqueueDeps, { id, run }: Pick<Task, 'id' | 'run'>) {
  await enqueueRun(em, queues, { taskId: id, run }).catch(error => log.warn({ err: error, task: id }, 'failed to enqueue a task'))
}
