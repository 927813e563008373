import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { jobStatuses } from '../jobs/job.ts'
import { listJobsOfRunner } from '../jobs/list-jobs.ts'
import { JobShape, presentJob } from '../jobs/present-job.ts'
import { findRunner } from './find-runner.ts'
import { listMachines } from './machine-store.ts'
import { ByRunner } from './runner-schemas.ts'

const Text = Type.Union([Type.String(), Type.Null()])
const Manager = Type.Object({
  id: Type.Integer(),
  system_id: Type.String(),
  version: Text,
  revision: Text,
  platform: Text,
  architecture: Text,
  created_at: Type.String(),
  contacted_at: Type.String(),
  ip_address: Text,
  status: Type.String()
})

/** What a runner did, and the machines that share its token. */
export const runnerDetailRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const forUsers = { config: { role: 'user' as const } }

  app.get(
    '/runners/:id/managers',
    { ...forUsers, schema: { summary: 'List the machines of a runner', params: ByRunner, response: { 200: Type.Array(Manager) } } },
    async ({ em, user, params }) => listMachines(em, await findRunner(em, user, params.id, 'change'))
  )

  app.get(
    '/runners/:id/jobs',
    {
      ...forUsers,
      schema: {
        summary: 'List the jobs of a runner',
        params: ByRunner,
        querystring: Type.Object({
          ...paging,
          status: Type.Optional(Type.Enum([...jobStatuses])),
          sort: Type.Optional(Type.Enum(['asc', 'desc']))
        }),
        response: { 200: Type.Array(JobShape) }
      }
    },
    async (request, reply) => {
      const runner = await findRunner(request.em, request.user, request.params.id, 'change')
      const jobs = await offsetPage(
        request,
        reply,
        await listJobsOfRunner(request.em, request.user, { runnerId: runner.id, ...request.query })
      )

      return jobs.map(({ job, project }) => presentJob(job, { baseUrl: config.baseUrl, project }))
    }
  )
}
