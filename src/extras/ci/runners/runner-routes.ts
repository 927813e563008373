import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FilterQuery } from '@mikro-orm/core'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { membershipsOf } from '#projects/visibility/membership-store.ts'
import { changeRunner, deleteRunner, resetToken } from './change-runner.ts'
import { findRunner } from './find-runner.ts'
import { listRunners } from './list-runners.ts'
import { presentDetailedRunner, presentRunners } from './present-runner.ts'
import type { Runner } from './runner.ts'
import { ByRunner, DetailedRunner, RunnerBody, RunnerShape, RunnersQuery, RunnerToken } from './runner-schemas.ts'
import { managedRunnerIds, projectIdsOf } from './runner-store.ts'

/** Runners of the installation, for admins, and those that a user manages. */
export const runnerRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const forUsers = { config: { role: 'user' as const } }
  const forManagers = { config: { role: 'user' as const, scopes: ['api', 'manage_runner'] } }
  const show = async (em: EntityManager, viewer: Viewer, runner: Runner) =>
    presentDetailedRunner(em, config, runner, await ownersOf(em, viewer, runner))

  app.get(
    '/runners',
    {
      ...forUsers,
      schema: { summary: 'List the runners that you manage', querystring: RunnersQuery, response: { 200: Type.Array(RunnerShape) } }
    },
    async (request, reply) => {
      const scope = { id: { $in: await managedRunnerIds(request.em, request.user) } }

      return presentRunners(request.em, config, await offsetPage(request, reply, listRunners(request.em, scope, request.query, new Date())))
    }
  )

  app.get(
    '/runners/all',
    {
      config: { role: 'admin' },
      schema: { summary: 'List all runners', querystring: RunnersQuery, response: { 200: Type.Array(RunnerShape) } }
    },
    async (request, reply) =>
      presentRunners(request.em, config, await offsetPage(request, reply, listRunners(request.em, {}, request.query, new Date())))
  )

  app.get(
    '/runners/:id',
    { ...forUsers, schema: { summary: 'Get a runner', params: ByRunner, response: { 200: DetailedRunner } } },
    async ({ em, user, params }) => show(em, user, await findRunner(em, user, params.id, 'read'))
  )

  app.put(
    '/runners/:id',
    { ...forManagers, schema: { summary: 'Update a runner', params: ByRunner, body: RunnerBody, response: { 200: DetailedRunner } } },
    async ({ em, user, params, body }) => {
      const runner = await findRunner(em, user, params.id, 'change')

      await changeRunner(em, runner, body)

      return show(em, user, runner)
    }
  )

  app.delete(
    '/runners/:id',
    { ...forManagers, schema: { summary: 'Delete a runner', params: ByRunner, response: { 204: Type.Null() } } },
    async ({ em, user, params }, reply) => {
      await deleteRunner(em, await findRunner(em, user, params.id, 'change'))

      return reply.code(204).send(null)
    }
  )

  app.post(
    '/runners/:id/reset_authentication_token',
    { ...forManagers, schema: { summary: 'Replace the token of a runner', params: ByRunner, response: { 201: RunnerToken } } },
    async ({ em, user, params }, reply) => {
      const token = await resetToken(em, await findRunner(em, user, params.id, 'change'))

      return reply.code(201).send({ token, token_expires_at: null })
    }
  )
}

/** The projects and the group of a runner that the viewer is a member of. */
async function ownersOf(em: EntityManager, viewer: Viewer, runner: Runner) {
  const ids = await projectIdsOf(em, runner.id)
  const groups = runner.groupId == null ? [] : await em.find(Namespace, { id: runner.groupId } as FilterQuery<Namespace>)

  if (viewer.isAdmin) return { projects: await findProjects(em, ids), groups }
  const { namespaces, projects } = await membershipsOf(em, viewer)
  const isMember = new Set(projects)
  const isWithin = new Set(namespaces)
  const isKnown = ({ id, namespace }: Project) => isMember.has(id) || isWithin.has(namespace.id)

  return { projects: (await findProjects(em, ids)).filter(isKnown), groups: groups.filter(({ id }) => isWithin.has(id)) }
}

async function findProjects(em: EntityManager, ids: number[]) {
  return ids.length > 0 ? em.find(Project, { id: { $in: ids } } as FilterQuery<Project>, { orderBy: { id: 'asc' } }) : []
}
