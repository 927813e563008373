import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { findIssue, findIssueProject } from '#issues/find-issue.ts'
import type { Issue } from '#issues/issue.ts'
import { IssueParams, IssueShape } from '#issues/issue-schemas.ts'
import { loadIssues } from '#issues/load-issues.ts'
import { presentIssue } from '#issues/present-issue.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { cloneIssue, moveIssue } from './move-issue.ts'

const path = '/projects/:id/issues/:issue_iid'
const Target = Type.Object({ to_project_id: Type.Integer({ description: 'A project where the caller is a reporter.' }) })

/** Issues go to other projects. */
export const moveRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }
  const response = { 201: IssueShape }

  app.post(
    `${path}/move`,
    { ...guard, schema: { summary: 'Move an issue to another project', params: IssueParams, body: Target, response } },
    async (request, reply) => {
      const { issue, target } = await findBoth(request.em, request, request.params, request.body)
      const moved = await moveIssue(request.em, issue, target, { ...request.actor, at: new Date() })

      return reply.code(201).send(await show(request.em, moved, target))
    }
  )

  app.post(
    `${path}/clone`,
    {
      ...guard,
      schema: {
        summary: 'Copy an issue to a project, its own or another one',
        params: IssueParams,
        body: Type.Object({ ...Target.properties, with_notes: Type.Optional(Type.Boolean()) }),
        response
      }
    },
    async (request, reply) => {
      const { issue, target } = await findBoth(request.em, request, request.params, request.body)
      const copy = await cloneIssue(request.em, issue, target, { by: request.actor, withNotes: request.body.with_notes ?? false })

      return reply.code(201).send(await show(request.em, copy, target))
    }
  )

  async function show(em: EntityManager, { id }: Issue, project: Project) {
    const [row] = await loadIssues(em, [id])

    return presentIssue(row!, project, config.baseUrl)
  }
}

async function findBoth(
  em: EntityManager,
  request: FastifyRequest,
  params: Static<typeof IssueParams>,
  { to_project_id: id }: Static<typeof Target>
) {
  const { issue } = await findIssue(em, request.user, params)
  const target = await findIssueProject(em, request.user, String(id))

  checkWritable(target)

  return { issue, target }
}
