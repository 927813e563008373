import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static, type TObject } from 'typebox'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage } from '../../http/keyset.ts'
import { offsetPage, perPageOf } from '../../http/pagination.ts'
import { BadParameter } from '../../http/problems.ts'
import { readTime } from '../../http/time.ts'
import { callerOf } from '../../identity/identify.ts'
import { alertStatuses } from '../alert.ts'
import { findAlert, findAlerted } from '../find-alert.ts'
import { type AlertFilter, type OrderBy, orders, type Position, projectAlerts } from '../list-alerts.ts'
import { severities } from '../severity.ts'
import type { ShownAlert } from '../shown.ts'
import { presentAlert } from './present.ts'
import { AlertParams, AlertShape, AlertsQuery, CountsShape, filters, ProjectId, WholeAlertShape } from './schemas.ts'
import { presentWhole } from './whole.ts'

/** What the monitoring tools said. */
export const alertRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: { summary: 'Alerts, newest first', params: ProjectId, querystring: AlertsQuery, response: { 200: Type.Array(AlertShape) } }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findAlerted(em, callerOf(request), request.params.id)
      const { by, sort } = isKeyset(request)
        ? keysetOrder(request, bothWays)
        : { by: request.query.order_by ?? 'created_at', sort: request.query.sort }
      const orderBy = by as OrderBy
      const alerts = projectAlerts(em, { ...readFilter(request.query, project.id), orderBy, sort })
      const page = isKeyset(request)
        ? keysetPage(
            request,
            reply,
            await alerts.listAfter(readCursor(request.query.cursor, orderBy), perPageOf(request.query) + 1),
            last => ({
              cursor: encodeCursor(positionOf(last, orderBy))
            })
          )
        : await offsetPage(request, reply, { ...alerts, type: 'Alert' })

      return page.map(alert => presentAlert(alert, project, config.baseUrl))
    }
  )

  app.get(
    `${path}/status_counts`,
    {
      ...guard,
      schema: {
        summary: 'How many alerts there are of each status',
        params: ProjectId,
        querystring: Type.Object(filters),
        response: { 200: CountsShape }
      }
    },
    async request => {
      const em = fork()
      const project = await findAlerted(em, callerOf(request), request.params.id)

      return projectAlerts(em, readFilter(request.query, project.id)).countByStatus()
    }
  )

  app.get(
    `${path}/:alert_iid`,
    { ...guard, schema: { summary: 'One alert, whole, with its history', params: AlertParams, response: { 200: WholeAlertShape } } },
    async request => {
      const em = fork()
      const { project, alert } = await findAlert(em, callerOf(request), request.params)

      return presentWhole(em, alert, project, config.baseUrl)
    }
  )
}

const bothWays = Object.fromEntries(Object.keys(orders).map(by => [by, ['desc', 'asc'] as ('asc' | 'desc')[]]))
const words: Partial<Record<OrderBy, readonly string[]>> = { severity: severities, status: alertStatuses }

function readCursor(cursor: string | undefined, by: OrderBy) {
  const position = decodeCursor<Position>(cursor, orders[by].kind, 'id')

  if (position && words[by]?.includes(String(position[0])) === false) throw new BadParameter('cursor is invalid')

  return position
}

function positionOf(alert: ShownAlert, by: OrderBy): Position {
  if (by === 'created_at') return [alert.iid, alert.iid]
  if (by === 'event_count') return [alert.events, alert.iid]
  const value = by === 'ended_at' ? (alert.ended_at ?? '9999-12-31T00:00:00Z') : alert[by]

  return [orders[by].kind === 'time' ? new Date(value).toISOString() : value, alert.iid]
}

function readFilter(query: Static<TObject<typeof filters>>, projectId: number): AlertFilter {
  const time = (name: TimeName) => readTime(name, query[name])

  return {
    projectId,
    statuses: query.status,
    severities: query.severity,
    search: query.search,
    environment: query.environment,
    service: query.service,
    tool: query.monitoring_tool,
    assigneeId: query.assignee_id,
    assigneeUsername: query.assignee_username,
    startedAfter: time('started_after'),
    startedBefore: time('started_before'),
    endedAfter: time('ended_after'),
    endedBefore: time('ended_before')
  }
}

type TimeName = `${'started' | 'ended'}_${'after' | 'before'}`
