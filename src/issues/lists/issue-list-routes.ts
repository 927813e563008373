import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { listPage } from '#api/pagination/keyset.ts'
import { AllIssuesQuery, IssuesQuery, readFilter } from '#issues/lists/issue-list-schemas.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { keysetOrders } from '#platform/database/list.ts'
import { findGroup } from '#projects/find-project.ts'
import { LabelBasics, presentLabelBasics } from '#projects/labels/label-schemas.ts'
import { findIssueProject } from '../find-issue.ts'
import { IssueShape, ProjectId } from '../issue-schemas.ts'
import { type IssueRow, loadIssues } from '../load-issues.ts'
import { presentIssue, presentIssues } from '../present-issue.ts'
import { globalOrders, listAllIssues, listIssues, orders } from './list-issues.ts'
import { isInGroup, isSeen } from './seen-issues.ts'

const ListedIssue = Type.Object({ ...IssueShape.properties, labels: Type.Array(Type.Union([Type.String(), LabelBasics])) })
const response = { 200: Type.Array(ListedIssue) }

/** Lists of issues: all that the caller sees, those in a group, and those of a project. */
export const issueListRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.get(
    '/issues',
    {
      config: { role: 'user' },
      schema: {
        summary: 'List the caller’s issues, or with `scope=all` all visible issues, newest first',
        querystring: AllIssuesQuery,
        response
      }
    },
    async (request, reply) => sendIssues(request, reply, request.em, { scope: 'created_by_me', ...request.query })
  )

  app.get(
    '/groups/:id/issues',
    {
      config: { role: 'guest' },
      schema: {
        summary: 'List the visible issues in the projects of a group, newest first',
        params: ProjectId,
        querystring: AllIssuesQuery,
        response
      }
    },
    async (request, reply) => {
      const group = await findGroup(request.em, request.user, request.params.id)

      return sendIssues(request, reply, request.em, request.query, group.id)
    }
  )

  app.get(
    '/projects/:id/issues',
    {
      config: { role: 'reporter' },
      schema: {
        summary: 'List issues, newest first; incidents with `issue_type=incident`',
        params: ProjectId,
        querystring: IssuesQuery,
        response
      }
    },
    async (request, reply) => {
      const project = await findIssueProject(request.em, request.user, request.params.id)
      const filter = { projectId: project.id, ...readFilter(request.query, request.user) }
      const page = await listPage(request, reply, {
        type: 'Issue',
        orders: keysetOrders(orders),
        open: order => listIssues(request.em, filter, order)
      })

      return page.map(issue => ({ ...presentIssue(issue, project, config.baseUrl), ...detailsOf(issue, request.query) }))
    }
  )

  app.get(
    '/issues/:issue_id',
    {
      config: { role: 'admin' },
      schema: { summary: 'Get an issue by its ID', params: Type.Object({ issue_id: Type.Integer() }), response: { 200: IssueShape } }
    },
    async ({ em, params }) => {
      const [issue] = await presentIssues(em, await loadIssues(em, [params.issue_id]), config.baseUrl)

      if (!issue) throw new NotFound('Issue')

      return issue
    }
  )
}

async function sendIssues(
  request: FastifyRequest,
  reply: FastifyReply,
  em: EntityManager,
  query: Static<typeof AllIssuesQuery>,
  groupId?: number
) {
  const filter = readFilter(query, request.user)
  const within = [...filter.within!, await isSeen(em, request.user, query.non_archived), groupId ? isInGroup(groupId) : sql`true`]
  const page = await listPage(request, reply, {
    type: 'Issue',
    orders: keysetOrders(globalOrders),
    open: order => listAllIssues(em, { ...filter, within }, order)
  })

  const presented = await presentIssues(em, page, request.server.platform.config.baseUrl)
  const byId = new Map(page.map(issue => [issue.id, issue]))

  return presented.map(issue => ({ ...issue, ...detailsOf(byId.get(issue.id)!, query) }))
}

function detailsOf({ labels }: IssueRow, { with_labels_details: isWanted }: Static<typeof IssuesQuery>) {
  return isWanted ? { labels: labels.map(presentLabelBasics) } : {}
}
