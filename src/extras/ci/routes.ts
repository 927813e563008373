import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { allowlistRoutes } from './allowlist-routes.ts'
import { artifactRoutes } from './artifacts/artifact-routes.ts'
import { artifactUploadRoutes } from './artifacts/upload-routes.ts'
import { jobRequestRoutes } from './execution/job-request-routes.ts'
import { ownJobRoutes } from './execution/own-job-routes.ts'
import { NotRunning } from './execution/running-job.ts'
import { traceRoutes } from './execution/trace-routes.ts'
import { jobTokenRoutes } from './job-token-routes.ts'
import { jobActionRoutes } from './jobs/job-action-routes.ts'
import { jobRoutes } from './jobs/job-routes.ts'
import { lintRoutes } from './lint-routes.ts'
import { pipelineRoutes } from './pipelines/pipeline-routes.ts'
import { newRunnerRoutes } from './runners/new-runner-routes.ts'
import { placementRoutes } from './runners/placement-routes.ts'
import { registrationRoutes } from './runners/registration-routes.ts'
import { registrationTokenRoutes } from './runners/registration-token-routes.ts'
import { runnerDetailRoutes } from './runners/runner-detail-routes.ts'
import { runnerRoutes } from './runners/runner-routes.ts'
import { variableRoutes } from './variables/variable-routes.ts'

const plugins = [
  lintRoutes,
  pipelineRoutes,
  jobRoutes,
  jobActionRoutes,
  runnerRoutes,
  runnerDetailRoutes,
  placementRoutes,
  newRunnerRoutes,
  registrationRoutes,
  registrationTokenRoutes,
  jobRequestRoutes,
  ownJobRoutes,
  traceRoutes,
  artifactUploadRoutes,
  artifactRoutes,
  variableRoutes,
  jobTokenRoutes,
  allowlistRoutes
]

/** CI: the configuration, pipelines, their jobs, and the runners that run them. */
export const ci: FastifyPluginAsyncTypebox = async app => {
  tellStatus(app)
  for (const plugin of plugins) await app.register(plugin)
}

/** Runners stop a job by this header. */
function tellStatus(app: FastifyInstance) {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof NotRunning) reply.header('job-status', error.status)
    throw error
  })
}
