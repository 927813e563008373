import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { findEnvironmentNames } from '#errors/releases/find-environments.ts'
import { InvalidInput, MutuallyExclusive } from '#lib/refusals.ts'
import { containing } from '#platform/database/filter.ts'
import { entityRows } from '#platform/database/list.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { createEnvironment, deleteEnvironment, findEnvironment, stopEnvironment, updateEnvironment } from './change-environment.ts'
import { Environment } from './environment.ts'
import {
  EnvironmentBody,
  EnvironmentParams,
  EnvironmentShape,
  EnvironmentsQuery,
  NewEnvironmentBody,
  presentEnvironment
} from './environment-schemas.ts'
import { addFoundEnvironments } from './found-environments.ts'

const path = '/projects/:id/environments'
const one = `${path}/:environment_id`

/** The environments of a project. Listing adds those that errors named since. */
export const environmentRoutes: FastifyPluginAsyncTypebox = async app => {
  const forReporters = { config: { role: 'reporter' } } as const
  const forDevelopers = { config: { role: 'developer' } } as const
  const editorOf = async (request: FastifyRequest<{ Params: { id: string } }>) => ({
    project: await findProject(request.em, request.user, request.params.id, Role.developer),
    actor: request.actor
  })

  app.get(
    path,
    {
      ...forReporters,
      schema: {
        summary: 'List environments',
        params: ById,
        querystring: EnvironmentsQuery,
        response: { 200: Type.Array(EnvironmentShape) }
      }
    },
    async (request, reply) => {
      const project = await findProject(request.em, request.user, request.params.id, Role.reporter)
      const where = { projectId: project.id, deletedAt: null, ...readFilter(request.query) }

      await addFoundEnvironments(request.em, project.id, await findEnvironmentNames(request.em, project.id))
      const environments = await offsetPage(
        request,
        reply,
        entityRows(request.em, Environment, where, { orderBy: { name: 'asc', id: 'asc' } })
      )

      return environments.map(presentEnvironment)
    }
  )

  app.get(
    one,
    { ...forReporters, schema: { summary: 'Get an environment', params: EnvironmentParams, response: { 200: EnvironmentShape } } },
    async ({ em, user, params }) => {
      const project = await findProject(em, user, params.id, Role.reporter)

      return presentEnvironment(await findEnvironment(em, project.id, params.environment_id))
    }
  )

  app.post(
    path,
    {
      ...forDevelopers,
      schema: { summary: 'Create an environment', params: ById, body: NewEnvironmentBody, response: { 201: EnvironmentShape } }
    },
    async (request, reply) => {
      const editor = await editorOf(request)
      const environment = await createEnvironment(request.em, editor, request.body.name, readChanges(request.body))

      return reply.code(201).send(presentEnvironment(environment))
    }
  )

  app.put(
    one,
    {
      ...forDevelopers,
      schema: { summary: 'Update an environment', params: EnvironmentParams, body: EnvironmentBody, response: { 200: EnvironmentShape } }
    },
    async request => {
      const editor = await editorOf(request)

      return presentEnvironment(await updateEnvironment(request.em, editor, request.params.environment_id, readChanges(request.body)))
    }
  )

  app.post(
    `${one}/stop`,
    { ...forDevelopers, schema: { summary: 'Stop an environment', params: EnvironmentParams, response: { 200: EnvironmentShape } } },
    async request => presentEnvironment(await stopEnvironment(request.em, await editorOf(request), request.params.environment_id))
  )

  app.delete(
    one,
    {
      ...forDevelopers,
      schema: { summary: 'Delete a stopped environment', params: EnvironmentParams, response: { 204: Type.Null() } }
    },
    async (request, reply) => {
      await deleteEnvironment(request.em, await editorOf(request), request.params.environment_id, new Date())

      return reply.code(204).send(null)
    }
  )
}

function readFilter({ name, search, states: state }: Static<typeof EnvironmentsQuery>) {
  if (name !== undefined && search !== undefined) throw new MutuallyExclusive('name', 'search')

  return {
    ...(name !== undefined && { name }),
    ...(search !== undefined && { name: { $ilike: containing(search) } }),
    ...(state !== undefined && { state })
  }
}

function readChanges({ external_url: externalUrl, description, tier, slug }: Static<typeof EnvironmentBody>) {
  if (slug !== undefined) throw new InvalidInput('slug is automatically generated and cannot be changed')

  return { externalUrl: externalUrl === '' ? null : externalUrl, description, tier }
}
