import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Alert, type AlertStatus, alertStatuses } from '#alerts/alert.ts'
import { type BulkChange, changeAlerts, changedFrom, maxChanged, type Outcome } from '#alerts/change-alerts.ts'
import { searchAlerts } from '#alerts/search/alert-search-store.ts'
import { redirect } from '#api/redirect.ts'
import { enqueueAllResolved } from '#incidents/incident-updates.ts'
import { count, nounFor } from '#lib/counted.ts'
import { flash, type Undo } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { readerZone } from '#pages/layout/reader-zone.ts'
import { selectedIds } from '#pages/projects/selection.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { listUrl, readListQuery } from './list-query.ts'
import { allProjectsScope, type ListScope, projectScope } from './list-scope.ts'
import { toFilter } from './to-filter.ts'

const maxUndone = 100

/** Changes many alerts, of a project or of all projects of the user. */
export async function bulkActions(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.post('/projects/:id/alerts/bulk', guard, async (request, reply) => change(request, reply, await projectScope(request)))
  app.post('/alerts/bulk', guard, async (request, reply) => change(request, reply, await allProjectsScope(request)))
}

async function change(request: FastifyRequest, reply: FastifyReply, scope: ListScope) {
  const change = readChange(request)
  const ids = change ? await idsToChange(request, scope, change) : []

  if (change && ids.length > 0) {
    const undo = await undoOf(request, scope, ids, change)

    flash(reply, await applyChange(request, scope, ids, change), undo)
  } else flash(reply, 'Select at least one alert.')

  return redirect(reply, listUrl(scope, readListQuery(request.body, readerZone(request))))
}

function readChange(request: FastifyRequest): BulkChange | undefined {
  const name = textOf(request, 'change')
  const status = alertStatuses.find(status => status === name)
  const assignee = Number(textOf(request, 'assign_to'))

  if (status) return { status }

  return name === 'assign' && Number.isSafeInteger(assignee) ? { assigneeIds: assignee > 0 ? [assignee] : [] } : undefined
}

/** Returns the alerts to the status that all of them have before the change. */
async function undoOf(
  request: FastifyRequest,
  { em, path, projectIds }: ListScope,
  ids: number[],
  { status }: BulkChange
): Promise<Undo | undefined> {
  if (!status || ids.length > maxUndone) return undefined
  const alerts = await em.fork().find(Alert, { id: { $in: ids }, projectId: { $in: projectIds }, status: { $in: changedFrom[status] } })
  const [before, ...others] = new Set(alerts.map(({ status }): AlertStatus => status))

  if (!before || others.length > 0 || !changedFrom[before].includes(status)) return undefined
  const query = Object.entries(readListQuery(request.body, readerZone(request))).filter(([, value]) => value !== '')

  return { action: `${path}/bulk`, fields: [...query, ['change', before], ...alerts.map(({ id }): [string, string] => ['id', String(id)])] }
}

/** The selected alerts, or the newest ones that match the filters and that the change applies to. */
async function idsToChange(request: FastifyRequest, scope: ListScope, { status }: BulkChange) {
  if (!textOf(request, 'all')) return selectedIds(request)
  const filter = toFilter(readListQuery(request.body, readerZone(request)), scope, request.user.id, new Date())
  const statuses = status ? filter.statuses.filter(from => changedFrom[status].includes(from)) : filter.statuses
  const alerts = await searchAlerts(scope.em, { ...filter, statuses }, 'newest').read({ limit: maxChanged })

  return alerts.map(({ id }) => id)
}

/** Returns a message for the user. */
async function applyChange(request: FastifyRequest, { em, projectIds }: ListScope, ids: number[], change: BulkChange) {
  const { queues } = request.server.platform
  const total: Outcome = { changed: [], leftOut: [] }

  for await (const { changed, leftOut } of changeAlerts(em, { ids, projectIds, change }, request.actor, new Date())) {
    // Also those resolved before: a request may have failed before it enqueued their incidents.
    if (change.status === 'resolved') await enqueueAllResolved(queues, [...changed, ...leftOut.map(({ alert }) => alert)], request.actor)
    total.changed.push(...changed)
    total.leftOut.push(...leftOut)
  }

  return describe(total, ids.length, change)
}

export const statusVerbs = { triggered: 'reopened', acknowledged: 'acknowledged', resolved: 'resolved', ignored: 'ignored' }

/** "2 alerts were resolved. 1 was left out: already resolved." */
function describe({ changed, leftOut }: Outcome, selected: number, { status, assigneeIds }: BulkChange) {
  const verb = status ? statusVerbs[status] : assigneeIds!.length > 0 ? 'assigned' : 'unassigned'
  const missing = selected - changed.length - leftOut.length
  const reasons = Map.groupBy(leftOut, ({ reason }) => reason)
  const parts = [...reasons].map(([reason, { length }]) => `${count(length)} ${wasLeftOut(length)}: ${reason}.`)

  return [
    `${count(changed.length)} ${nounFor(changed.length, 'alert')} ${changed.length === 1 ? 'was' : 'were'} ${verb}.`,
    ...parts,
    ...(missing > 0 ? [`${count(missing)} ${wasLeftOut(missing)}: not found.`] : []),
    ...(selected === maxChanged ? ['Repeat it for the others.'] : [])
  ].join(' ')
}

function wasLeftOut(number: number) {
  return `${number === 1 ? 'was' : 'were'} left out`
}
