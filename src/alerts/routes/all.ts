import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { alertRoutes } from './alerts.ts'
import { alertChanges } from './changes.ts'
import { metricImages } from './metric-images.ts'
import { alertNotes } from './notes.ts'

const path = '/projects/:id/alert_management_alerts'

/** The REST resources of alerts. */
export const alertManagement: FastifyPluginAsyncTypebox = async app => {
  for (const routes of [alertRoutes, alertChanges, alertNotes, metricImages]) await app.register(routes, { path })
}
