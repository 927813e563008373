import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { openIncident } from '../../incidents/open-incident.ts'
import { followResolved } from '../../incidents/resolve-alerts-of-closed.ts'
import { readAssignees } from '../../issues/assign-issue.ts'
import { readShown } from '../../issues/issue-row.ts'
import { IssueShape } from '../../issues/routes/issue-schemas.ts'
import { presentIssue } from '../../issues/routes/present-issue.ts'
import { changeAlert } from '../change-alert.ts'
import { findAlert } from '../find-alert.ts'
import { settingOf } from '../settings/change-setting.ts'
import { AlertChanges, AlertParams, WholeAlertShape } from './alert-schemas.ts'
import { presentWhole } from './present-alert-details.ts'

/** What people decide about an alert. */
export const alertChanges: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork, queues } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.put(
    `${path}/:alert_iid`,
    {
      ...guard,
      schema: {
        summary: 'Acknowledge, resolve, ignore, reopen or assign an alert',
        params: AlertParams,
        body: AlertChanges,
        response: { 200: WholeAlertShape }
      }
    },
    async request => {
      const em = fork()
      const decision = { status: request.body.status, assigneeIds: readAssignees(request.body) }
      const { project, alert } = await findAlert(em, callerOf(request), request.params)

      await changeAlert(em, { project, alert }, decision, actorOf(request), new Date())
      if (decision.status) await followResolved(queues, alert)

      return presentWhole(em, alert, project, config.baseUrl)
    }
  )

  app.post(
    `${path}/:alert_iid/incident`,
    {
      ...guard,
      schema: { summary: 'Make an incident of an alert, unless it has one', params: AlertParams, response: { 201: IssueShape } }
    },
    async (request, reply) => {
      const em = fork()
      const caller = callerOf(request)
      const { project, alert } = await findAlert(em, caller, request.params)
      const setting = await settingOf(em, project.id)
      const { baseUrl } = config
      const issueId = await openIncident(em, { projectId: project.id, iid: alert.iid, baseUrl, setting, authorId: caller.id })

      // The project is gone since just now.
      if (issueId === undefined) throw new NotFound('Project')
      const [issue] = await readShown(em, [issueId])

      return reply.code(201).send(presentIssue(issue!, project, baseUrl))
    }
  )
}
