import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { impersonationTokenRoutes } from './impersonation-token-routes.ts'
import { personalTokenRoutes } from './personal-token-routes.ts'
import { groupTokenRoutes, projectTokenRoutes } from './resource-token-routes.ts'
import { selfTokenRoutes } from './self-token-routes.ts'
import { userAdminRoutes } from './user-admin-routes.ts'
import { userRoutes } from './user-routes.ts'

/** Users, and the tokens by which programs act. */
export const identityRoutes: FastifyPluginAsyncTypebox = async app => {
  await app.register(userRoutes)
  await app.register(userAdminRoutes)
  await app.register(personalTokenRoutes)
  await app.register(selfTokenRoutes)
  await app.register(impersonationTokenRoutes)
  await app.register(projectTokenRoutes)
  await app.register(groupTokenRoutes)
}
