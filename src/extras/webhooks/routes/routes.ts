import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { webhookDeliveryRoutes } from './delivery-routes.ts'
import { owners } from './owner-routes.ts'
import { webhookTestRoutes } from './test-routes.ts'
import { webhookValueRoutes } from './value-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** Webhooks of projects and groups, and system hooks. */
export const webhooks: FastifyPluginAsyncTypebox = async app => {
  for (const owner of owners) {
    await app.register(webhookRoutes, owner)
    await app.register(webhookValueRoutes, owner)
    await app.register(webhookDeliveryRoutes, owner)
    await app.register(webhookTestRoutes, owner)
  }
}
