import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deletePackageRoutes } from './delete-routes.ts'
import { genericPackageRoutes } from './generic-routes.ts'
import { packageRoutes } from './package-routes.ts'

/** Packages: files that projects publish under a name and a version. */
export const packages: FastifyPluginAsyncTypebox = async app => {
  await app.register(genericPackageRoutes)
  await app.register(packageRoutes)
  await app.register(deletePackageRoutes)
}
