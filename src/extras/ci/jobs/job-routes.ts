import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { keysetParameters, listPage } from '#api/pagination/keyset.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { NotFound } from '#lib/refusals.ts'
import { ById } from '#projects/schemas.ts'
import { findCiProject } from '../find-ci-project.ts'
import { Pipeline } from '../pipelines/pipeline.ts'
import { ByPipeline } from '../pipelines/pipeline-routes.ts'
import { findJob } from './find-job.ts'
import { jobStatuses } from './job.ts'
import { listJobs } from './list-jobs.ts'
import { JobShape, presentJob } from './present-job.ts'

const Scope = Type.Optional(CommaSeparated(Type.Enum([...jobStatuses]), { description: 'Jobs with one of these statuses.' }))
const JobsQuery = Type.Object({ ...paging, ...keysetParameters, scope: Scope })

export const ByJob = Type.Object({ ...ById.properties, job_id: Type.Integer() })

/** Jobs of pipelines. Those who read the code of the project see them. */
export const jobRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const forReaders = { config: { role: 'anyone' as const, privateRole: 'reporter' as const } }

  app.get(
    '/projects/:id/jobs',
    {
      ...forReaders,
      schema: { summary: 'List jobs', params: ById, querystring: JobsQuery, response: { 200: Type.Array(JobShape) } }
    },
    async (request, reply) => {
      const { scope } = request.query
      const project = await findCiProject(fork(), request.viewer, request.params.id)
      const jobs = await listPage(request, reply, {
        orders: { id: ['desc'] },
        open: () => listJobs(fork(), { projectId: project.id, statuses: scope ?? [] })
      })

      return jobs.map(job => presentJob(job, { baseUrl: config.baseUrl, project }))
    }
  )

  app.get(
    '/projects/:id/pipelines/:pipeline_id/jobs',
    {
      ...forReaders,
      schema: {
        summary: 'List the jobs of a pipeline',
        params: ByPipeline,
        querystring: Type.Object({ ...paging, scope: Scope, include_retried: Type.Optional(Type.Boolean()) }),
        response: { 200: Type.Array(JobShape) }
      }
    },
    async (request, reply) => {
      const { scope, include_retried: includeRetried = false } = request.query
      const { id, pipeline_id: pipelineId } = request.params
      const project = await findCiProject(fork(), request.viewer, id)

      if (!(await fork().count(Pipeline, { id: pipelineId, projectId: project.id }))) throw new NotFound('Pipeline')
      const jobs = listJobs(fork(), { projectId: project.id, pipelineId, statuses: scope ?? [], includeRetried })

      return (await offsetPage(request, reply, jobs)).map(job => presentJob(job, { baseUrl: config.baseUrl, project }))
    }
  )

  app.get(
    '/projects/:id/jobs/:job_id',
    { ...forReaders, schema: { summary: 'Get a job', params: ByJob, response: { 200: JobShape } } },
    async request => {
      const project = await findCiProject(fork(), request.viewer, request.params.id)

      return presentJob(await findJob(fork(), project, request.params.job_id), { baseUrl: config.baseUrl, project })
    }
  )
}
