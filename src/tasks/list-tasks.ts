import { type FilterQuery, LockMode } from '@mikro-orm/core'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { announceTask } from './announce-task.ts'
import { type EnqueueDeps, enqueueTask } from './start-task.ts'
import { Task } from './task.ts'

/** Of a project, of an author apart from projects, or all. Tasks of a project are its developers': its author may have left it. */
export type TaskScope = { projectId: number } | { author: number; projectId: null } | Record<never, never>

const shown = 20
/** A finished task is listed for this long. */
const recentMs = 600_000

/** Open and failed tasks, and those that finished within the last minutes, newest first. */
export function listTasks(em: EntityManager, scope: TaskScope, at: Date) {
  const isShown = [{ state: { $ne: 'finished' as const } }, { finishedAt: { $gte: new Date(at.getTime() - recentMs) } }]

  return findTasks(em, { ...scope, $or: isShown })
}

export function listUnfinishedTasks(em: EntityManager) {
  return findTasks(em, { state: { $ne: 'finished' } })
}

function findTasks(em: EntityManager, where: FilterQuery<Task>) {
  return em.find(Task, where, { orderBy: { id: 'desc' }, limit: shown, populate: ['author'] })
}

/** A failed task goes on where it failed. */
export async function tryTaskAgain(em: EntityManager, deps: EnqueueDeps, scope: TaskScope, id: number, at: Date) {
  const task = await em.transactional(async em => {
    const task = await em.findOne(Task, { ...scope, id, state: 'failed' }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!task) throw new NotFound('Failed Task')
    task.tryAgain(at)
    await announceTask(em, task)

    return task
  })

  await enqueueTask(em, deps, task)

  return task
}

/** Gives up what a failed task of a project has not done. */
export async function dismissTask(em: EntityManager, projectId: number, id: number) {
  return em.transactional(async em => {
    const task = await em.findOne(Task, { projectId, id, state: 'failed' }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!task) throw new NotFound('Failed Task')
    em.remove(task)
    await announceTask(em, task)

    return task
  })
}
