import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { IssueShape } from '#issues/issue-schemas.ts'
import { presentIssues } from '#issues/present-issue.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import { findMemberSource, type SourceKind } from '#projects/members/member-source.ts'
import { listMilestones } from '#projects/milestones/list-milestones.ts'
import { MilestoneParams } from '#projects/milestones/milestone-schemas.ts'
import { listMilestoneIssues } from './list-milestone-issues.ts'

/** The issues of a milestone, in all projects where the caller is a reporter. There are no merge requests. */
export const milestoneIssueRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform
  const path = `/${kind}/:id/milestones/:milestone_id`
  const guard = { config: { role: 'guest' as const } }
  const querystring = Type.Object(paging)

  app.get(
    `${path}/issues`,
    {
      ...guard,
      schema: {
        summary: 'List the issues of a milestone, newest first',
        params: MilestoneParams,
        querystring,
        response: { 200: Type.Array(IssueShape) }
      }
    },
    async (request, reply) => {
      const milestoneId = await findMilestone(request.em, request.user, request.params)
      const issues = await offsetPage(request, reply, await listMilestoneIssues(request.em, request.user, milestoneId))

      return presentIssues(request.em, issues, config.baseUrl)
    }
  )

  app.get(
    `${path}/merge_requests`,
    {
      ...guard,
      schema: {
        summary: 'List the merge requests of a milestone (always empty)',
        params: MilestoneParams,
        querystring,
        response: { 200: Type.Array(Type.Object({})) }
      }
    },
    async (request, reply) => {
      await findMilestone(request.em, request.user, request.params)

      return offsetPage(request, reply, rowsInMemory([]))
    }
  )

  async function findMilestone(em: EntityManager, viewer: Viewer, { id, milestone_id: milestoneId }: { id: string; milestone_id: number }) {
    const source = await findMemberSource(em, viewer, kind, id)
    const [milestone] = await listMilestones(em, source, { id: milestoneId }).list(1)

    if (!milestone) throw new NotFound('Milestone')

    return milestone.id
  }
}
