import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Actor } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { findAssigneeIds } from '#projects/members/assignee-store.ts'
import { Project } from '#projects/project.ts'
import { Alert, type AlertStatus } from './alert.ts'
import { applyChanges, lockForStatus } from './change-alert.ts'

/** More are changed by repeating the request. */
export const maxChanged = 1000
/** Alerts of one transaction. */
const batchSize = 100

/** The statuses that a change of many alerts applies to: acknowledging everything must not reopen what is resolved. */
export const changedFrom: Record<AlertStatus, AlertStatus[]> = {
  triggered: ['acknowledged', 'resolved', 'ignored'],
  acknowledged: ['triggered'],
  resolved: ['triggered', 'acknowledged', 'ignored'],
  ignored: ['triggered', 'acknowledged']
}

export type BulkChange = { status: AlertStatus; assigneeIds?: undefined } | { status?: undefined; assigneeIds: number[] }

interface BulkChanges {
  /** Ids of alerts. */
  ids: number[]
  /** Projects in which the user may change alerts. Those of others count as missing. */
  projectIds: number[]
  change: BulkChange
}

export interface Outcome {
  changed: Alert[]
  leftOut: { alert: Alert; reason: string }[]
}

/**
 * Changes the status or the assignees of alerts of several projects, and yields after each transaction what it did. An alert that the
 * change does not apply to is left out; the others are changed.
 */
export async function* changeAlerts(
  em: EntityManager,
  { ids, projectIds, change }: BulkChanges,
  by: Actor,
  at: Date
): AsyncGenerator<Outcome> {
  for (const [projectId, ofProject] of await groupByProject(em, ids, projectIds)) {
    for (let start = 0; start < ofProject.length; start += batchSize) {
      yield await changeBatch(em.fork(), projectId, ofProject.slice(start, start + batchSize), change, by, at)
    }
  }
}

/** In order, so that two requests cannot deadlock. */
async function groupByProject(em: EntityManager, ids: number[], projectIds: number[]) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('alerts')
    .select(['id', 'project_id'])
    .where('id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .where('project_id', '=', sql<number>`ANY (${projectIds}::bigint[])`)
    .orderBy('project_id')
    .orderBy('iid')
    .limit(maxChanged)
    .execute()

  return new Map([...Map.groupBy(rows, row => row.project_id)].map(([project, rows]) => [project, rows.map(({ id }) => id)]))
}

function changeBatch(em: EntityManager, projectId: number, ids: number[], change: BulkChange, by: Actor, at: Date): Promise<Outcome> {
  return em.transactional(async em => {
    const project = await em.findOneOrFail(Project, projectId)

    await lockForStatus(em, project, change.status)
    const alerts = await em.find(Alert, { projectId, id: { $in: ids } }, { orderBy: { iid: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE })
    const outcome: Outcome = { changed: [], leftOut: [] }

    for (const alert of alerts) {
      const reason = project.readOnlyReason
        ? `in a project that is ${project.readOnlyReason}`
        : await changeOne(em, { project, alert }, change, by, at)

      if (reason) outcome.leftOut.push({ alert, reason })
      else outcome.changed.push(alert)
    }

    return outcome
  })
}

/** Returns why the alert is left out. */
async function changeOne(em: EntityManager, subject: { project: Project; alert: Alert }, change: BulkChange, by: Actor, at: Date) {
  const { alert } = subject

  if (change.status && !changedFrom[change.status].includes(alert.status)) return `already ${alert.status}`
  if (change.assigneeIds && (await isAssignedTo(em, alert, change.assigneeIds))) return 'already assigned so'

  try {
    await applyChanges(em, subject, change, by, at)
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error

    return change.status ? 'another alert of the same kind is open' : 'the assignee is not a member of the project'
  }

  return undefined
}

async function isAssignedTo(em: EntityManager, { id }: Alert, wanted: number[]) {
  const current = await findAssigneeIds(em, 'alert', id)

  return current.length === wanted.length && wanted.every(userId => current.includes(userId))
}
