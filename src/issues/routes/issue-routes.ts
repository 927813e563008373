import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import type { Severity } from '../../alerts/severity.ts'
import { readTime } from '../../http/parameters/time.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Project } from '../../projects/project.ts'
import { numberedPage } from '../../projects/visibility/iid-list.ts'
import { readAssignees } from '../assign-issue.ts'
import { changeIssue } from '../change-issue.ts'
import { createIssue } from '../create-issue.ts'
import { findIssue, findProjectOfIssues } from '../find-issue.ts'
import { readShown } from '../issue-row.ts'
import { type IssueFilter, orders, projectIssues } from '../list-issues.ts'
import { IssueChanges, IssueParams, IssueShape, IssuesQuery, NewIssueBody, ProjectId } from './issue-schemas.ts'
import { presentIssue } from './present-issue.ts'

/** What a project's people work on; incidents above all. */
export const issueRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'reporter' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'Issues, newest first; incidents with `issue_type=incident`',
        params: ProjectId,
        querystring: IssuesQuery,
        response: { 200: Type.Array(IssueShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findProjectOfIssues(em, callerOf(request), request.params.id)
      const filter = readFilter(request.query, project.id)
      const page = await numberedPage(request, reply, {
        type: 'Issue',
        orders,
        open: (orderBy, sort) => projectIssues(em, { ...filter, orderBy, sort })
      })

      return page.map(issue => presentIssue(issue, project, config.baseUrl))
    }
  )

  app.get(
    `${path}/:issue_iid`,
    { ...guard, schema: { summary: 'One issue', params: IssueParams, response: { 200: IssueShape } } },
    async request => {
      const em = fork()
      const { project, issue } = await findIssue(em, callerOf(request), request.params)

      return show(em, project, issue.id)
    }
  )

  app.post(
    path,
    {
      ...guard,
      schema: { summary: 'Open an issue, or an incident', params: ProjectId, body: NewIssueBody, response: { 201: IssueShape } }
    },
    async (request, reply) => {
      const em = fork()
      const author = callerOf(request)
      const project = await findProjectOfIssues(em, author, request.params.id)
      const { title, description, severity, issue_type: issueType = 'issue' } = request.body
      const issue = await em.transactional(em =>
        createIssue(em, {
          projectId: project.id,
          issueType,
          title,
          description,
          severity: severityOf(severity),
          authorId: author.id,
          assigneeIds: readAssignees(request.body)
        })
      )

      return reply.code(201).send(await show(em, project, issue.id))
    }
  )

  app.put(
    `${path}/:issue_iid`,
    {
      ...guard,
      schema: {
        summary: 'Rewrite, assign, close or reopen an issue',
        params: IssueParams,
        body: IssueChanges,
        response: { 200: IssueShape }
      }
    },
    async request => {
      const em = fork()
      const caller = callerOf(request)
      const { project, issue } = await findIssue(em, caller, request.params)
      const { title, description, severity, state_event: stateEvent } = request.body
      const assigneeIds = readAssignees(request.body)

      await changeIssue(em, issue, { title, description, severity: severityOf(severity), assigneeIds, stateEvent }, caller.id, new Date())

      return show(em, project, issue.id)
    }
  )

  async function show(em: EntityManager, project: Project, issueId: number) {
    const [shown] = await readShown(em, [issueId])

    return presentIssue(shown!, project, config.baseUrl)
  }
}

/** Clients shout it, as it is shown to them. */
function severityOf(given: string | undefined) {
  return given?.toLowerCase() as Severity | undefined
}

function readFilter(query: Static<typeof IssuesQuery>, projectId: number): IssueFilter {
  const time = (name: TimeName) => readTime(name, query[name])

  return {
    projectId,
    issueType: query.issue_type,
    state: query.state === 'all' ? undefined : query.state,
    iids: query.iids,
    search: query.search,
    severity: severityOf(query.severity),
    authorId: query.author_id,
    authorUsername: query.author_username,
    assigneeId: query.assignee_id,
    assigneeUsername: query.assignee_username?.[0],
    createdAfter: time('created_after'),
    createdBefore: time('created_before'),
    updatedAfter: time('updated_after'),
    updatedBefore: time('updated_before')
  }
}

type TimeName = `${'created' | 'updated'}_${'after' | 'before'}`
