import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { recordAuditEvent } from '#audit/record-audit-event.ts'
import { Forbidden, NotFound, Rejected } from '#lib/refusals.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { unassignRunner } from './change-runner.ts'
import { findRunner } from './find-runner.ts'
import { listRunners } from './list-runners.ts'
import { presentRunners } from './present-runner.ts'
import { RunnerShape, RunnersQuery } from './runner-schemas.ts'
import { addProject, runnerIdsOfGroup, runnerIdsOfProject } from './runner-store.ts'

/** The runners of projects and groups. */
export const placementRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const forMaintainers = { config: { role: 'maintainer' as const } }
  const path = '/projects/:id/runners'
  const response = { 200: Type.Array(RunnerShape) }

  app.get(
    path,
    { ...forMaintainers, schema: { summary: 'List the runners of a project', params: ById, querystring: RunnersQuery, response } },
    async (request, reply) => {
      const project = await findProject(request.em, request.user, request.params.id, Role.maintainer)
      const scope = { id: { $in: await runnerIdsOfProject(request.em, project.id) } }

      return presentRunners(request.em, config, await offsetPage(request, reply, listRunners(request.em, scope, request.query, new Date())))
    }
  )

  app.get(
    '/groups/:id/runners',
    { ...forMaintainers, schema: { summary: 'List the runners of a group', params: ById, querystring: RunnersQuery, response } },
    async (request, reply) => {
      const group = await findGroup(request.em, request.user, request.params.id, Role.maintainer)
      const scope = { id: { $in: await runnerIdsOfGroup(request.em, group.lineage) } }

      return presentRunners(request.em, config, await offsetPage(request, reply, listRunners(request.em, scope, request.query, new Date())))
    }
  )

  app.post(
    path,
    {
      ...forMaintainers,
      schema: {
        summary: 'Let a runner of another project run this project’s jobs',
        params: ById,
        body: Type.Object({ runner_id: Type.Integer() }),
        response: { 201: RunnerShape }
      }
    },
    async (request, reply) => {
      const project = await findProject(request.em, request.user, request.params.id, Role.maintainer)
      const runner = await findRunner(request.em, request.user, request.body.runner_id, 'change')

      if (runner.type !== 'project_type') throw new Forbidden('Runner is not a runner of projects')
      if (runner.isLocked) throw new Forbidden('Runner is locked')
      await request.em.transactional(async em => {
        if (!(await addProject(em, runner.id, project.id))) throw new Rejected('Runner runs the jobs of this project already')
        recordAuditEvent(em, request.actor, {
          name: 'ci_runner_assigned_to_project',
          entity: project.audited(),
          target: runner.audited()
        })
      })

      return reply.code(201).send((await presentRunners(request.em, config, [runner]))[0]!)
    }
  )

  app.delete(
    `${path}/:runner_id`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Stop a runner of another project from running the jobs of this one',
        params: Type.Object({ ...ById.properties, runner_id: Type.Integer() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const { id, runner_id: runnerId } = request.params
      const project = await findProject(request.em, request.user, id, Role.maintainer)

      if (!(await runnerIdsOfProject(request.em, project.id, 'project_type')).includes(runnerId)) throw new NotFound('Runner')
      const runner = await findRunner(request.em, request.user, runnerId, 'change')

      await unassignRunner(request.em, runner, project, request.actor)

      return reply.code(204).send(null)
    }
  )
}
