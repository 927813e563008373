import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { jobActionRoutes } from './jobs/job-action-routes.ts'
import { jobRoutes } from './jobs/job-routes.ts'
import { lintRoutes } from './lint/lint-routes.ts'
import { pipelineRoutes } from './pipelines/pipeline-routes.ts'

/** CI: the configuration, pipelines and their jobs. */
export const ci: FastifyPluginAsyncTypebox = async app => {
  await app.register(lintRoutes)
  await app.register(pipelineRoutes)
  await app.register(jobRoutes)
  await app.register(jobActionRoutes)
}
