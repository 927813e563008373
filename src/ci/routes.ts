import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { lintRoutes } from './lint/lint-routes.ts'

/** CI: the configuration of pipelines. */
export const ci: FastifyPluginAsyncTypebox = async app => {
  await app.register(lintRoutes)
}
