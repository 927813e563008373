import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Expression } from 'kysely'
import Type, { type Static } from 'typebox'
import { callerOf } from '../../identity/identify.ts'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup } from '../../projects/find-project.ts'
import { findIssueProject } from '../find-issue.ts'
import { ProjectId } from '../routes/issue-schemas.ts'
import { AllStatisticsQuery, readFilter, StatisticsQuery } from './issues-query.ts'
import { countByState } from './list-issues.ts'
import { isInGroup, isSeen } from './seen-issues.ts'

const StatisticsShape = Type.Object({
  statistics: Type.Object({ counts: Type.Object({ all: Type.Integer(), closed: Type.Integer(), opened: Type.Integer() }) })
})
const response = { 200: StatisticsShape }

/** How many issues there are, by state, with the filters of the lists. */
export const issueStatisticsRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/issues_statistics',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: "Count the caller's issues, or with `scope=all` all that they see", querystring: AllStatisticsQuery, response }
    },
    async request => countSeen(fork(), callerOf(request), { scope: 'created_by_me', ...request.query })
  )

  app.get(
    '/groups/:id/issues_statistics',
    {
      onRequest: app.requireUser,
      config: { role: 'guest' },
      schema: {
        summary: 'Count the issues in the projects of a group that the caller sees',
        params: ProjectId,
        querystring: AllStatisticsQuery,
        response
      }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const group = await findGroup(em, viewer, request.params.id)

      return countSeen(em, viewer, request.query, isInGroup(group.id))
    }
  )

  app.get(
    '/projects/:id/issues_statistics',
    {
      onRequest: app.requireUser,
      config: { role: 'reporter' },
      schema: { summary: 'Count the issues of a project', params: ProjectId, querystring: StatisticsQuery, response }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const { id: projectId } = await findIssueProject(em, viewer, request.params.id)

      return { statistics: { counts: await countByState(em, { projectId, ...readFilter(request.query, viewer) }) } }
    }
  )
}

async function countSeen(em: EntityManager, viewer: Viewer, query: Static<typeof AllStatisticsQuery>, ...place: Expression<unknown>[]) {
  const filter = readFilter(query, viewer)
  const within = [...filter.within!, ...place, await isSeen(em, viewer, query.non_archived)]

  return { statistics: { counts: await countByState(em, { ...filter, within }) } }
}
