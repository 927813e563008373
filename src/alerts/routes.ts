import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { metricImages } from './images/image-routes.ts'
import { alertRoutes } from './routes/alert-routes.ts'
import { alertChanges } from './routes/change-routes.ts'
import { alertNotes } from './routes/note-routes.ts'

const path = '/projects/:id/alert_management_alerts'

/** The REST resources of alerts. */
export const alertManagement: FastifyPluginAsyncTypebox = async app => {
  for (const routes of [alertRoutes, alertChanges, alertNotes, metricImages]) await app.register(routes, { path })
}
