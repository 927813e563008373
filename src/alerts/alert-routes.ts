import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static, type TObject } from 'typebox'
import { listPage } from '#api/pagination/keyset.ts'
import { toTime } from '#lib/time.ts'
import { keysetOrders } from '#platform/database/list.ts'
import type { AlertFilter } from './alert-filter.ts'
import { AlertDetailsShape, AlertParams, AlertShape, AlertsQuery, CountsShape, filters, ProjectId } from './alert-schemas.ts'
import { metricImages } from './details/image-routes.ts'
import { findAlert, findMonitoredProject } from './find-alert.ts'
import { countByStatus, listAlerts, orders } from './list-alerts.ts'
import { alertNotes } from './note-routes.ts'
import { presentAlert } from './present-alert.ts'
import { presentAlertDetails } from './present-alert-details.ts'

const path = '/projects/:id/alert_management_alerts'

/** Alerts, their notes and metric images; `src/incidents/routes.ts` changes them. */
export const alertRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'developer' as const } }

  for (const routes of [alertNotes, metricImages]) await app.register(routes, { path })

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List alerts, newest first',
        params: ProjectId,
        querystring: AlertsQuery,
        response: { 200: Type.Array(AlertShape) }
      }
    },
    async (request, reply) => {
      const project = await findMonitoredProject(request.em, request.user, request.params.id)
      const filter = readFilter(request.query, project.id)
      const page = await listPage(request, reply, {
        type: 'Alert',
        orders: keysetOrders(orders),
        open: order => listAlerts(request.em, filter, order)
      })

      return page.map(alert => presentAlert(alert, project, config.baseUrl))
    }
  )

  app.get(
    `${path}/status_counts`,
    {
      ...guard,
      schema: {
        summary: 'Count alerts by status',
        params: ProjectId,
        querystring: Type.Object(filters),
        response: { 200: CountsShape }
      }
    },
    async ({ em, user, params, query }) => {
      const project = await findMonitoredProject(em, user, params.id)

      return countByStatus(em, readFilter(query, project.id))
    }
  )

  app.get(
    `${path}/:alert_iid`,
    { ...guard, schema: { summary: 'Get an alert with its notes', params: AlertParams, response: { 200: AlertDetailsShape } } },
    async ({ em, user, params }) => {
      const { project, alert } = await findAlert(em, user, params)

      return presentAlertDetails(em, alert, project, config.baseUrl)
    }
  )
}

function readFilter(query: Static<TObject<typeof filters>>, projectId: number): AlertFilter {
  const time = (name: TimeName) => toTime(query[name])

  return {
    projectIds: [projectId],
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
