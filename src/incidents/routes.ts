import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { AlertChangesBody, AlertDetailsShape, AlertParams } from '#alerts/alert-schemas.ts'
import { changeAlert } from '#alerts/change-alert.ts'
import { findSetting } from '#alerts/change-setting.ts'
import { findAlert } from '#alerts/find-alert.ts'
import { presentAlertDetails } from '#alerts/present-alert-details.ts'
import { findIssue } from '#issues/find-issue.ts'
import { IssueChangesBody, IssueParams, IssueShape } from '#issues/issue-schemas.ts'
import { loadIssues } from '#issues/load-issues.ts'
import { presentIssue, readSeverity } from '#issues/present-issue.ts'
import { NotFound } from '#lib/refusals.ts'
import { toDay } from '#lib/time.ts'
import { readAssigneeIds } from '#projects/members/assignees.ts'
import { changeIncident } from './close-incident.ts'
import { enqueueResolved } from './incident-updates.ts'
import { openIncident } from './open-incident.ts'

const alertPath = '/projects/:id/alert_management_alerts/:alert_iid'

/** The routes that may change both alerts and issues. */
export const incidentRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, queues } = app.platform
  const forDevelopers = { config: { role: 'developer' as const } }
  const forReporters = { config: { role: 'reporter' as const } }

  app.put(
    alertPath,
    {
      ...forDevelopers,
      schema: {
        summary: 'Acknowledge, resolve, ignore, reopen or assign an alert',
        params: AlertParams,
        body: AlertChangesBody,
        response: { 200: AlertDetailsShape }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const changes = { status: body.status, assigneeIds: readAssigneeIds(body) }
      const { project, alert } = await findAlert(em, user, params)

      await changeAlert(em, { project, alert }, changes, actor, new Date())
      if (changes.status) await enqueueResolved(queues, alert, actor)

      return presentAlertDetails(em, alert, project, config.baseUrl)
    }
  )

  app.post(
    `${alertPath}/incident`,
    {
      ...forDevelopers,
      schema: { summary: 'Open an incident from an alert, unless it has one', params: AlertParams, response: { 201: IssueShape } }
    },
    async ({ em, user, actor, params }, reply) => {
      const { project, alert } = await findAlert(em, user, params)
      const setting = await findSetting(em, project.id)
      const issueId = await openIncident(em, {
        projectId: project.id,
        iid: alert.iid,
        baseUrl: config.baseUrl,
        setting,
        authorId: user.id,
        chain: actor.chain
      })

      // The project has no issues, or was deleted in the meantime.
      if (issueId === undefined) throw new NotFound()
      const [issue] = await loadIssues(em, [issueId])

      return reply.code(201).send(presentIssue(issue!, project, config.baseUrl))
    }
  )

  app.put(
    '/projects/:id/issues/:issue_iid',
    {
      ...forReporters,
      schema: {
        summary: 'Edit, assign, close or reopen an issue',
        params: IssueParams,
        body: IssueChangesBody,
        response: { 200: IssueShape }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const { project, issue } = await findIssue(em, user, params)
      const { title, description, severity, state_event: stateEvent, milestone_id: milestoneId } = body
      const assigneeIds = readAssigneeIds(body)
      const changes = {
        title,
        description,
        severity: readSeverity(severity),
        assigneeIds,
        labels: readLabels(body),
        milestoneId: milestoneId === 0 ? null : milestoneId,
        dueDate: toDay(body.due_date),
        isConfidential: body.confidential,
        stateEvent
      }

      await changeIncident(em, issue, changes, actor, new Date())
      const [changed] = await loadIssues(em, [issue.id])

      return presentIssue(changed!, project, config.baseUrl)
    }
  )
}

function readLabels({ labels, add_labels: add, remove_labels: remove }: Static<typeof IssueChangesBody>) {
  return labels || add || remove ? { labels, add, remove } : undefined
}
