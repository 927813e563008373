import type { Actor } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { type EnqueueDeps, enqueueTask } from '#tasks/start-task.ts'
import type { Task } from '#tasks/task.ts'
import { changeGroup, type GroupChanges } from './change-group.ts'
import { startChange } from './change-task.ts'
import { ErrorGroup, type Status, statuses } from './error-group.ts'
import { findGroup } from './find-group.ts'
import type { GroupFilter } from './group-filter.ts'
import { listGroups } from './list-groups.ts'

/** Changes all of these errors, or none. */
export async function changeEach(em: EntityManager, project: Project, ids: number[], changes: GroupChanges, by: Actor, at: Date) {
  return em.transactional(async em => {
    const groups = new Set<ErrorGroup>()

    // In order, so that two requests cannot deadlock.
    for (const id of ids.toSorted((a, b) => a - b)) {
      const group = await findGroup(em, project.id, id)

      if (!group) throw new ValidationFailed({ fingerprints: [`${id} not found in this project`] })
      groups.add(group)
    }
    for (const group of groups) await changeGroup(em, { project, group }, changes, by, at)

    return [...groups]
  })
}

interface Selection {
  /** All errors when missing. */
  ids?: number[]
  status?: Status
}

/** More are changed by repeating the request. */
const maxChanged = 1000

/** Changes the selected errors of a project one by one; errors with the new status are left out. */
export async function changeGroups(
  em: EntityManager,
  project: Project,
  { ids, status }: Selection,
  changes: GroupChanges & { status: Status },
  by: Actor,
  at: Date
) {
  const from = status ? [status] : statuses
  const selected = ids
    ? (await findGroups(em, project.id, ids)).groups
    : await listByStatus(
        em,
        project.id,
        noFilter,
        from.filter(one => one !== changes.status)
      )
  const groups = selected.filter(group => group.status !== changes.status && from.includes(group.status))

  for (const group of groups) await changeGroup(em, { project, group }, changes, by, at)
}

const noFilter: GroupFilter = { firstSeen: {}, lastSeen: {} }

/** So many are changed by a task. */
const manyMatches = 200

/** Changes the errors that match a filter one by one, except those with the new status. Returns their number, or the task that changes them. */
export async function changeMatching(
  em: EntityManager,
  deps: EnqueueDeps,
  { project, filter, changes }: { project: Project; filter: GroupFilter; changes: GroupChanges },
  by: Actor,
  at: Date
): Promise<{ changed: number } | { task: Task }> {
  const from = (filter.status ? [filter.status] : statuses).filter(status => status !== changes.status)
  const groups = await listByStatus(em, project.id, filter, from, manyMatches)

  if (groups.length === manyMatches) {
    const task = await em.fork().transactional(em => startChange(em, { project, filter, from, changes }, by, at))

    await enqueueTask(em, deps, task)

    return { task }
  }
  for (const group of groups) await changeGroup(em, { project, group }, changes, by, at)

  return { changed: groups.length }
}

/** Changes these errors of a project one by one. Those that are not found are left out. Returns their numbers. */
export async function changeSelected(em: EntityManager, project: Project, ids: number[], changes: GroupChanges, by: Actor, at: Date) {
  const { groups, missing } = await findGroups(em, project.id, ids)

  for (const group of groups) await changeGroup(em, { project, group }, changes, by, at)

  return { changed: groups.length, missing }
}

/** The errors with these ids, or those that they were merged into, and how many ids have none. */
async function findGroups(em: EntityManager, projectId: number, ids: number[]) {
  const found = await em.find(ErrorGroup, { id: { $in: ids }, projectId }, { filters: { unmerged: false } })
  const targets = found.flatMap(({ mergedInto }) => mergedInto ?? [])
  const merged = targets.length > 0 ? await em.find(ErrorGroup, { id: { $in: targets } }) : []
  const groups = new Set([...found.filter(({ mergedInto }) => !mergedInto), ...merged])

  return { groups: [...groups], missing: ids.length - found.length }
}

async function listByStatus(em: EntityManager, projectId: number, filter: GroupFilter, wanted: Status[], max = maxChanged) {
  const groups: ErrorGroup[] = []

  for (const status of wanted) {
    const limit = max - groups.length

    groups.push(...(await listGroups(em, projectId, { ...filter, status }).read({ limit })))
  }

  return groups
}
