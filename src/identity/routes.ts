import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { emails } from './emails/email-resource.ts'
import { impersonationTokenRoutes } from './tokens/impersonation-token-routes.ts'
import { personalTokenRoutes } from './tokens/personal-token-routes.ts'
import { selfTokenRoutes } from './tokens/self-token-routes.ts'
import { userResourceRoutes } from './user-resource-routes.ts'
import { avatarRoutes } from './users/avatar-routes.ts'
import { userAdminRoutes } from './users/user-admin-routes.ts'
import { userRoutes } from './users/user-routes.ts'
export const identityRoutes: FastifyPluginAsyncTypebox = async app => {
  await app.register(userRoutes)
  await app.register(userAdminRoutes)
  await app.register(avatarRoutes)
  await app.register(userResourceRoutes(emails))
  await app.register(personalTokenRoutes)
  await app.register(selfTokenRoutes)
  await app.register(impersonationTokenRoutes)
}
