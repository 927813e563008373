import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { entityRows } from '#platform/database/list.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { createFeatureFlag, deleteFeatureFlag, findFeatureFlag, updateFeatureFlag } from './change-feature-flag.ts'
import { FeatureFlag } from './feature-flag.ts'
import { FlagBody, FlagParams, FlagShape, FlagsQuery, NewFlagBody, presentFeatureFlag, readChanges } from './feature-flag-schemas.ts'

const path = '/projects/:id/feature_flags'
const one = `${path}/:feature_flag_name`

/** The feature flags of a project. Their programs read them here, too. */
export const featureFlagRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const forDevelopers = { config: { role: 'developer' } } as const
  const projectOf = (request: FastifyRequest<{ Params: { id: string } }>) =>
    findProject(request.em, request.user, request.params.id, Role.developer)
  const editorOf = async (request: FastifyRequest<{ Params: { id: string } }>) => ({
    project: await projectOf(request),
    actor: request.actor
  })
  const present = (flag: FeatureFlag) => presentFeatureFlag(flag, config)

  app.get(
    path,
    {
      ...forDevelopers,
      schema: { summary: 'List feature flags', params: ById, querystring: FlagsQuery, response: { 200: Type.Array(FlagShape) } }
    },
    async (request, reply) => {
      const { scope } = request.query
      const where = { projectId: (await projectOf(request)).id, ...(scope && { isActive: scope === 'enabled' }) }
      const flags = await offsetPage(request, reply, entityRows(request.em, FeatureFlag, where, { orderBy: { name: 'asc' } }))

      return flags.map(present)
    }
  )

  app.get(
    one,
    { ...forDevelopers, schema: { summary: 'Get a feature flag', params: FlagParams, response: { 200: FlagShape } } },
    async request => {
      const { id } = await projectOf(request)

      return present(await findFeatureFlag(request.em, id, request.params.feature_flag_name))
    }
  )

  app.post(
    path,
    {
      ...forDevelopers,
      schema: { summary: 'Create a feature flag', params: ById, body: NewFlagBody, response: { 201: FlagShape } }
    },
    async (request, reply) => {
      const { name } = request.body

      return reply
        .code(201)
        .send(present(await createFeatureFlag(request.em, await editorOf(request), { ...readChanges(request.body), name })))
    }
  )

  app.put(
    one,
    {
      ...forDevelopers,
      schema: { summary: 'Update a feature flag', params: FlagParams, body: FlagBody, response: { 200: FlagShape } }
    },
    async request => {
      const { feature_flag_name: name } = request.params

      return present(await updateFeatureFlag(request.em, await editorOf(request), name, readChanges(request.body)))
    }
  )

  app.delete(
    one,
    { ...forDevelopers, schema: { summary: 'Delete a feature flag', params: FlagParams, response: { 200: FlagShape } } },
    async request => present(await deleteFeatureFlag(request.em, await editorOf(request), request.params.feature_flag_name))
  )
}
