import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { actorOf } from '#audit/record-audit-event.ts'
import { callerOf } from '#identity/identify.ts'
import type { EntityManager } from '#platform/database/database.ts'
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
  const { config, fork } = app.platform
  const forDevelopers = { onRequest: app.requireUser, config: { role: 'developer' } } as const
  const projectOf = (em: EntityManager, request: FastifyRequest<{ Params: { id: string } }>) =>
    findProject(em, callerOf(request), request.params.id, Role.developer)
  const editorOf = async (em: EntityManager, request: FastifyRequest<{ Params: { id: string } }>) => ({
    project: await projectOf(em, request),
    actor: actorOf(request)
  })
  const present = (flag: FeatureFlag) => presentFeatureFlag(flag, config)

  app.get(
    path,
    {
      ...forDevelopers,
      schema: { summary: 'List feature flags', params: ById, querystring: FlagsQuery, response: { 200: Type.Array(FlagShape) } }
    },
    async (request, reply) => {
      const em = fork()
      const { scope } = request.query
      const where = { projectId: (await projectOf(em, request)).id, ...(scope && { isActive: scope === 'enabled' }) }
      const flags = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(FeatureFlag, where, { orderBy: { name: 'asc' }, limit, offset }),
        count: () => em.fork().count(FeatureFlag, where)
      })

      return flags.map(present)
    }
  )

  app.get(
    one,
    { ...forDevelopers, schema: { summary: 'Get a feature flag', params: FlagParams, response: { 200: FlagShape } } },
    async request => {
      const em = fork()
      const { id } = await projectOf(em, request)

      return present(await findFeatureFlag(em, id, request.params.feature_flag_name))
    }
  )

  app.post(
    path,
    {
      ...forDevelopers,
      schema: { summary: 'Create a feature flag', params: ById, body: NewFlagBody, response: { 201: FlagShape } }
    },
    async (request, reply) => {
      const em = fork()
      const { name } = request.body

      return reply.code(201).send(present(await createFeatureFlag(em, await editorOf(em, request), { ...readChanges(request.body), name })))
    }
  )

  app.put(
    one,
    {
      ...forDevelopers,
      schema: { summary: 'Update a feature flag', params: FlagParams, body: FlagBody, response: { 200: FlagShape } }
    },
    async request => {
      const em = fork()
      const { feature_flag_name: name } = request.params

      return present(await updateFeatureFlag(em, await editorOf(em, request), name, readChanges(request.body)))
    }
  )

  app.delete(
    one,
    { ...forDevelopers, schema: { summary: 'Delete a feature flag', params: FlagParams, response: { 200: FlagShape } } },
    async request => {
      const em = fork()

      return present(await deleteFeatureFlag(em, await editorOf(em, request), request.params.feature_flag_name))
    }
  )
}
