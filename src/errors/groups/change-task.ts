import type { Actor } from '#audit/record-audit-event.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { actorOf } from '#tasks/actor.ts'
import { startTask } from '#tasks/start-task.ts'
import type { TaskKind } from '#tasks/task-kind.ts'
import { changeGroup, checkChanges, type GroupChanges } from './change-group.ts'
import { ErrorGroup, type Status } from './error-group.ts'
import type { GroupFilter } from './group-filter.ts'
import { estimateMatches, findLastId, scanRange } from './group-search-store.ts'

interface Change {
  filter: GroupFilter
  /** The statuses that the errors may have before. */
  from: Status[]
  changes: GroupChanges
  /** The newest error when it began: later ones are not changed. */
  lastId: number
}

/** Errors that one step looks at, and that it changes, which stay locked until its end. */
const scanned = 2000
const changedAtOnce = 50

/**
 * Changes all errors that match a filter, in the order of their ids, which no event changes. Those that come to match behind it, or
 * match no more before it, are not changed.
 */
export const changeErrors: TaskKind<Change, number> = {
  name: 'errors.change',
  async step(em, { params: { from, changes, lastId, ...params }, cursor, task, at, signal }) {
    const project = await em.findOne(Project, { id: task.projectId! })

    // It was deleted meanwhile, with its errors.
    if (!project) return { done: 0 }
    const filter = reviveTimes(params.filter)
    const range = { after: cursor ?? 0, upTo: lastId, statuses: from }

    if (cursor === null) return { done: 0, total: await estimateMatches(em, project.id, filter, range), next: 0 }
    const { ids, last } = await scanRange(em, project.id, filter, range, scanned)
    const batch = ids.slice(0, changedAtOnce)
    const by = await actorOf(em, task)

    if (last === undefined) return { done: 0 }
    for (const group of await em.find(ErrorGroup, { id: { $in: batch } }, { orderBy: { id: 'asc' } })) {
      signal.throwIfAborted()
      await changeUnlessDeleted(em, { project, group }, changes, by, at)
    }

    return { done: batch.length, next: batch.length < ids.length ? batch.at(-1)! : last }
  }
}

export async function startChange(
  em: EntityManager,
  { project, ...change }: Omit<Change, 'lastId'> & { project: Project },
  by: Actor,
  at: Date
) {
  await checkChanges(em, project, change.changes)
  const params = { ...change, lastId: await findLastId(em) }

  return startTask(em, changeErrors, { title: titleOf(change.changes), projectId: project.id, params }, by, at)
}

const titles: Record<Status, string> = { resolved: 'Resolving errors', ignored: 'Ignoring errors', unresolved: 'Reopening errors' }

function titleOf({ status }: GroupChanges) {
  return status ? titles[status] : 'Assigning errors'
}

async function changeUnlessDeleted(
  em: EntityManager,
  subject: { project: Project; group: ErrorGroup },
  changes: GroupChanges,
  by: Actor,
  at: Date
) {
  try {
    await changeGroup(em, subject, changes, by, at)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}

const times = new Set(['after', 'before', 'at'])

/** A filter has times, JSON has none. */
function reviveTimes(filter: GroupFilter): GroupFilter {
  return JSON.parse(JSON.stringify(filter), (name, value) => (times.has(name) ? new Date(value) : value))
}
