import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { toDay, toTime } from '../../http/parameters/time.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { iidPage } from '../../projects/iid-list.ts'
import { readAssigneeIds } from '../../projects/members/assignees.ts'
import type { Project } from '../../projects/project.ts'
import { awardEmojiRoutes } from '../award-emoji/award-emoji-routes.ts'
import { checkNewIssue } from '../check-spam.ts'
import { createIssue } from '../create-issue.ts'
import { discussionRoutes } from '../discussions/discussion-routes.ts'
import { issueEventRoutes } from '../events/event-routes.ts'
import { findIssueProject, findReadableIssue, findReportableProject } from '../find-issue.ts'
import { issueLinkRoutes } from '../links/link-routes.ts'
import { type IssueFilter, listIssues, orders } from '../list-issues.ts'
import { loadIssues } from '../load-issues.ts'
import { IssueParams, IssueShape, IssuesQuery, NewIssueBody, ProjectId } from './issue-schemas.ts'
import { milestoneIssueRoutes } from './milestone-issue-routes.ts'
import { issueNoteRoutes } from './note-routes.ts'
import { participantRoutes } from './participant-routes.ts'
import { presentIssue, readSeverity } from './present-issue.ts'

const path = '/projects/:id/issues'

/** Issues and incidents; `src/incidents/routes.ts` changes them. */
export const issueRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'reporter' as const } }

  await app.register(issueNoteRoutes, { path })
  for (const kind of ['label', 'milestone', 'state'] as const) await app.register(issueEventRoutes, { kind })
  for (const on of ['issue', 'note'] as const) await app.register(awardEmojiRoutes, { on })
  await app.register(discussionRoutes)
  await app.register(issueLinkRoutes)
  await app.register(participantRoutes)
  for (const kind of ['projects', 'groups'] as const) await app.register(milestoneIssueRoutes, { kind })

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List issues, newest first; incidents with `issue_type=incident`',
        params: ProjectId,
        querystring: IssuesQuery,
        response: { 200: Type.Array(IssueShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findIssueProject(em, callerOf(request), request.params.id)
      const filter = readFilter(request.query, project.id)
      const page = await iidPage(request, reply, {
        type: 'Issue',
        orders,
        open: (orderBy, sort) => listIssues(em, { ...filter, orderBy, sort })
      })

      return page.map(issue => presentIssue(issue, project, config.baseUrl))
    }
  )

  app.get(
    `${path}/:issue_iid`,
    { ...guard, schema: { summary: 'Get an issue', params: IssueParams, response: { 200: IssueShape } } },
    async request => {
      const em = fork()
      const { project, issue } = await findReadableIssue(em, callerOf(request), request.params)

      return show(em, project, issue.id)
    }
  )

  app.post(
    path,
    {
      ...guard,
      schema: {
        summary: 'Create an issue or an incident; in public projects, everyone who is signed in reports issues',
        params: ProjectId,
        body: NewIssueBody,
        response: { 201: IssueShape }
      }
    },
    async (request, reply) => {
      const em = fork()
      const author = callerOf(request)
      const { project, isReporter } = await findReportableProject(em, author, request.params.id)
      const { title, description } = request.body
      const written = { projectId: project.id, authorId: author.id, title, description }
      const spam = await checkNewIssue(request, project, request.body)
      const issue = await em.transactional(async em => {
        await spam?.remember(em)

        return createIssue(em, { ...written, issueType: 'issue', ...(isReporter && readPlanning(request.body)) })
      })

      return reply.code(201).send(await show(em, project, issue.id))
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

function readFilter(query: Static<typeof IssuesQuery>, projectId: number): IssueFilter {
  const time = (name: TimeName) => toTime(query[name])

  return {
    projectId,
    issueType: query.issue_type,
    state: query.state === 'all' ? undefined : query.state,
    iids: query.iids,
    search: query.search,
    severity: readSeverity(query.severity),
    authorId: query.author_id,
    authorUsername: query.author_username,
    assigneeId: query.assignee_id,
    assigneeUsername: query.assignee_username?.[0],
    labels: query.labels?.length === 0 ? undefined : query.labels,
    milestone: (query.milestone || undefined) ?? query.milestone_id,
    due: query.due_date,
    createdAfter: time('created_after'),
    createdBefore: time('created_before'),
    updatedAfter: time('updated_after'),
    updatedBefore: time('updated_before')
  }
}

type TimeName = `${'created' | 'updated'}_${'after' | 'before'}`
