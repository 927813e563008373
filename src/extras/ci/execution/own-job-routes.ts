import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotFound } from '#lib/refusals.ts'
import { Project } from '#projects/project.ts'
import { findJob } from '../jobs/find-job.ts'
import { JobShape, presentJob } from '../jobs/present-job.ts'

/** What a job learns of itself, by its token. */
export const ownJobRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.get(
    '/job',
    {
      config: { role: 'user', allowsJobToken: true, additionalStatuses: [404] },
      schema: { summary: 'Get the job that a job token belongs to', response: { 200: JobShape } }
    },
    async ({ caller }) => {
      const em = fork()

      // Users have no job.
      if (caller?.by.kind !== 'job') throw new NotFound('Job')
      const { jobId, projectId } = caller.by
      const project = await em.findOneOrFail(Project, { id: projectId })

      return presentJob(await findJob(em, project, jobId), { baseUrl: config.baseUrl, project })
    }
  )
}
