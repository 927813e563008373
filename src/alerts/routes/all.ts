import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { alertRoutes } from './alerts.ts'

const path = '/projects/:id/alert_management_alerts'

/** The REST resources of alerts. */
export const alertManagement: FastifyPluginAsyncTypebox = async app => {
  for (const routes of [alertRoutes]) await app.register(routes, { path })
}
