import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { repositoryRoutes } from './repository-routes.ts'
import { tagRoutes } from './tag-routes.ts'

/** Container images, which a registry beside us stores. */
export const registry: FastifyPluginAsyncTypebox = async app => {
  await app.register(repositoryRoutes)
  await app.register(tagRoutes)
}
