import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { deleteIssueActivity } from '#activity/activity-store.ts'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { toDay } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { readAssigneeIds } from '#projects/members/assignees.ts'
import { Role } from '#projects/members/member.ts'
import type { Project } from '#projects/project.ts'
import { checkNewIssue } from './check-spam.ts'
import { createIssue } from './create-issue.ts'
import { findIssue, findReadableIssue, findReportableProject } from './find-issue.ts'
import type { Issue } from './issue.ts'
import { IssueDetails, IssueParams, IssueShape, NewIssueBody, ProjectId } from './issue-schemas.ts'
import { issueListRoutes } from './lists/issue-list-routes.ts'
import { loadIssues } from './load-issues.ts'
import { issueNoteRoutes } from './note-routes.ts'
import { participantRoutes } from './participant-routes.ts'
import { presentIssue, readSeverity } from './present-issue.ts'
import { isSubscribed, subscribe } from './subscription-store.ts'

/** Subscribers are notified about an issue like its participants; users who unsubscribed, only when mentioned. */
const issueSubscriptionRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  for (const [verb, isWanted] of [
    ['subscribe', true],
    ['unsubscribe', false]
  ] as const) {
    app.post(
      `/projects/:id/issues/:issue_iid/${verb}`,
      {
        config: { role: 'reporter', additionalStatuses: [304] },
        schema: {
          summary: `${isWanted ? 'Subscribe to' : 'Unsubscribe from'} an issue`,
          params: IssueParams,
          response: { 201: IssueDetails }
        }
      },
      async ({ em, user, params }, reply) => {
        const { project, issue } = await findReadableIssue(em, user, params)

        if (!(await subscribe(em, issue, user.id, isWanted))) return reply.code(304 as never).send(undefined as never)
        const [row] = await loadIssues(em, [issue.id])

        return reply.code(201).send({ ...presentIssue(row!, project, config.baseUrl), subscribed: isWanted })
      }
    )
  }
}

const path = '/projects/:id/issues'

/** Issues and incidents; `src/incidents/routes.ts` changes them. */
export const issueRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }

  await app.register(issueNoteRoutes, { path })
  await app.register(participantRoutes)
  await app.register(issueSubscriptionRoutes)
  await app.register(issueListRoutes)

  app.get(
    `${path}/:issue_iid`,
    { ...guard, schema: { summary: 'Get an issue', params: IssueParams, response: { 200: IssueDetails } } },
    async ({ em, user, params }) => {
      const { project, issue } = await findReadableIssue(em, user, params)

      return { ...(await show(em, project, issue.id)), subscribed: await isSubscribed(em, issue, user.id) }
    }
  )

  app.post(
    path,
    {
      ...guard,
      schema: {
        summary: 'Create an issue or an incident; in public projects, every signed-in user may report issues',
        params: ProjectId,
        body: NewIssueBody,
        response: { 201: IssueShape }
      }
    },
    async (request, reply) => {
      const { project, isReporter } = await findReportableProject(request.em, request.user, request.params.id)
      const { title, description, confidential: isConfidential } = request.body
      const { chain } = request.actor
      const written = { projectId: project.id, authorId: request.user.id, chain, title, description, isConfidential }
      const spam = await checkNewIssue(request, project, request.body)
      const issue = await request.em.transactional(async em => {
        await spam?.remember(em)

        return createIssue(em, { ...written, issueType: 'issue', ...(isReporter && readPlanning(request.body)) })
      })

      return reply.code(201).send(await show(request.em, project, issue.id))
    }
  )

  app.delete(
    `${path}/:issue_iid`,
    {
      config: { role: 'owner' },
      schema: { summary: 'Delete an issue with its comments', params: IssueParams, response: { 204: Type.Null() } }
    },
    async ({ em, user, actor, params }, reply) => {
      const { project, issue } = await findIssue(em, user, params, Role.owner)

      await deleteIssue(em, project, issue, actor)

      return reply.code(204).send(null)
    }
  )

  async function show(em: EntityManager, project: Project, issueId: number) {
    const [issue] = await loadIssues(em, [issueId])

    return presentIssue(issue!, project, config.baseUrl)
  }
}

/** Users who are not members write a title and a description; the rest is ignored, as in GitLab. */
function readPlanning(body: Static<typeof NewIssueBody>) {
  return {
    issueType: body.issue_type ?? ('issue' as const),
    severity: readSeverity(body.severity),
    assigneeIds: readAssigneeIds(body),
    labels: body.labels,
    milestoneId: body.milestone_id || null,
    dueDate: toDay(body.due_date)
  }
}

/** With its comments, history and activity. The alerts of an incident stay. */
async function deleteIssue(em: EntityManager, project: Project, issue: Issue, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, issue)
    const target = { type: 'Issue', id: issue.id, details: issue.title as string }

    recordAuditEvent(em, by, { name: 'issue_deleted', entity: project.audited(), target, details: { iid: issue.iid } })
    await deleteIssueActivity(em, issue)
    em.remove(issue)
  })
}
