import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import { findCode } from '#extras/source-code/find-code.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import type { Project } from '#projects/project.ts'
import { ById } from '#projects/schemas.ts'
import { findCiProject } from '../find-ci-project.ts'
import { cancelPipeline, deletePipeline, retryPipeline } from './change-pipeline.ts'
import { createPipeline } from './create-pipeline.ts'
import { findPipeline } from './find-pipeline.ts'
import { listPipelines, pipelineOrders, pipelineScopes } from './list-pipelines.ts'
import { pipelineStatuses } from './pipeline.ts'
import { NewVariables, presentVariables, readVariables } from './pipeline-variables.ts'
import { DetailedPipeline, PipelineShape, presentDetails, presentPipeline } from './present-pipeline.ts'

export const ByPipeline = Type.Object({ ...ById.properties, pipeline_id: Type.Integer() })

const PipelinesQuery = Type.Object({
  ...paging,
  scope: Type.Optional(Type.Enum([...pipelineScopes])),
  status: Type.Optional(Type.Enum([...pipelineStatuses])),
  source: Type.Optional(Type.String()),
  ref: Type.Optional(Type.String()),
  sha: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  updated_after: Type.Optional(Time()),
  updated_before: Type.Optional(Time()),
  created_after: Type.Optional(Time()),
  created_before: Type.Optional(Time()),
  order_by: Type.Optional(Type.Enum(Object.keys(pipelineOrders) as (keyof typeof pipelineOrders)[])),
  sort: Type.Optional(Type.Enum(['asc', 'desc']))
})
const NoInputs = Type.Optional(
  Type.Object({}, { additionalProperties: true, description: 'Not supported: only an empty object is accepted. Give `variables` instead.' })
)
export const NewPipelineBody = Type.Object({
  ref: Type.String({ minLength: 1, description: 'A branch or tag.' }),
  variables: NewVariables,
  inputs: NoInputs
})
const Variable = Type.Object({ key: Type.String(), value: Type.String(), variable_type: Type.String(), raw: Type.Boolean() })

/** Runs of a project's CI configuration. Those who read its code see them, developers start them. */
export const pipelineRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork, git } = app.platform
  const path = '/projects/:id/pipelines'
  const forReaders = { config: { role: 'anyone' as const, privateRole: 'reporter' as const } }
  const forDevelopers = { config: { role: 'developer' as const } }
  const show = async (project: Project, id: number) =>
    presentDetails(await findPipeline(fork(), project, id), { baseUrl: config.baseUrl, project })

  app.get(
    path,
    {
      ...forReaders,
      schema: { summary: 'List pipelines', params: ById, querystring: PipelinesQuery, response: { 200: Type.Array(PipelineShape) } }
    },
    async (request, reply) => {
      const project = await findCiProject(fork(), request.viewer, request.params.id)
      const pipelines = await offsetPage(request, reply, listPipelines(fork(), project.id, request.query))

      return pipelines.map(pipeline => presentPipeline(pipeline, { baseUrl: config.baseUrl, project }))
    }
  )

  app.get(
    `${path}/latest`,
    {
      ...forReaders,
      schema: {
        summary: 'Get the latest pipeline of a branch or tag',
        params: ById,
        querystring: Type.Object({ ref: Type.Optional(Type.String({ description: 'Defaults to the default branch.' })) }),
        response: { 200: DetailedPipeline }
      }
    },
    async request => {
      const project = await findCiProject(fork(), request.viewer, request.params.id)
      const [latest] = await listPipelines(fork(), project.id, { ref: request.query.ref || project.defaultBranch }).list(1, 0)

      if (!latest) throw new NotFound('Pipeline')

      return presentDetails(latest, { baseUrl: config.baseUrl, project })
    }
  )

  app.get(
    `${path}/:pipeline_id`,
    { ...forReaders, schema: { summary: 'Get a pipeline', params: ByPipeline, response: { 200: DetailedPipeline } } },
    async ({ em, viewer, params }) => show(await findCiProject(em, viewer, params.id), params.pipeline_id)
  )

  app.get(
    `${path}/:pipeline_id/variables`,
    {
      ...forDevelopers,
      schema: { summary: 'List the variables of a pipeline', params: ByPipeline, response: { 200: Type.Array(Variable) } }
    },
    async request => {
      const project = await findCiProject(fork(), request.user, request.params.id, Role.developer)

      return presentVariables(config, await findPipeline(fork(), project, request.params.pipeline_id))
    }
  )

  app.post(
    '/projects/:id/pipeline',
    {
      ...forDevelopers,
      config: { role: 'developer', additionalStatuses: [422] },
      schema: { summary: 'Run a pipeline', params: ById, body: NewPipelineBody, response: { 201: DetailedPipeline } }
    },
    async (request, reply) => {
      const { ref, variables, inputs = {} } = request.body

      if (Object.keys(inputs).length > 0) throw new InvalidInput('inputs are not supported: give variables instead')

      const code = await findCode(fork(), git, request.user, request.params.id, Role.developer)
      const given = { ref, source: 'api', variables: readVariables(variables) }
      const { id } = await createPipeline(fork(), config, code, request.actor, given, new Date())

      return reply.code(201).send(await show(code.project, id))
    }
  )

  app.post(
    `${path}/:pipeline_id/cancel`,
    { ...forDevelopers, schema: { summary: 'Cancel the jobs of a pipeline', params: ByPipeline, response: { 200: DetailedPipeline } } },
    async request => {
      const { project, pipeline } = await findOwn(request)

      await cancelPipeline(request.em, pipeline, request.actor, new Date())

      return show(project, pipeline.id)
    }
  )

  app.post(
    `${path}/:pipeline_id/retry`,
    {
      ...forDevelopers,
      schema: { summary: 'Retry the failed and canceled jobs of a pipeline', params: ByPipeline, response: { 201: DetailedPipeline } }
    },
    async (request, reply) => {
      const { project, pipeline } = await findOwn(request)

      await retryPipeline(request.em, pipeline, request.actor, new Date())

      return reply.code(201).send(await show(project, pipeline.id))
    }
  )

  app.delete(
    `${path}/:pipeline_id`,
    {
      config: { role: 'owner' },
      schema: { summary: 'Delete a pipeline', params: ByPipeline, response: { 204: Type.Null() } }
    },
    async (request, reply) => {
      const { pipeline } = await findOwn(request, Role.owner)

      await deletePipeline(request.em, pipeline)

      return reply.code(204).send(null)
    }
  )

  async function findOwn(request: FastifyRequest, minRole: number = Role.developer) {
    const { id, pipeline_id: pipelineId } = request.params as { id: string; pipeline_id: number }
    const project = await findCiProject(fork(), request.user, id, minRole)

    return { project, pipeline: await findPipeline(fork(), project, pipelineId) }
  }
}
