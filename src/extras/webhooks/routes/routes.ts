import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { webhookDeliveryRoutes } from './delivery-routes.ts'
import { places } from './places.ts'
import { webhookTestRoutes } from './test-routes.ts'
import { webhookValueRoutes } from './value-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** Webhooks of projects and groups, and system hooks. */
export const webhooks: FastifyPluginAsyncTypebox = async app => {
  for (const place of places) {
    await app.register(webhookRoutes, place)
    await app.register(webhookValueRoutes, place)
    await app.register(webhookDeliveryRoutes, place)
    await app.register(webhookTestRoutes, place)
  }
}
