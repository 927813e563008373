import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { attachmentRoutes } from './attachments.ts'
import { errorChanges } from './changes.ts'
import { clientKeyRoutes } from './client-keys.ts'
import { errorComments } from './comments.ts'
import { errorRoutes } from './errors.ts'
import { eventRoutes } from './events.ts'
import { feedbackRoutes } from './feedback.ts'
import { regroupRoutes } from './regroup.ts'
import { releaseRoutes } from './releases.ts'
import { errorSettingsRoutes } from './settings.ts'
import { statsRoutes } from './stats.ts'

/** The REST resources of error tracking, below a path that names the project. */
export const errorTracking: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  await app.register(errorSettingsRoutes, { path })
  await app.register(clientKeyRoutes, { path: `${path}/client_keys` })
  await app.register(statsRoutes, { path: `${path}/stats` })
  await app.register(releaseRoutes, { path: `${path}/releases` })
  await app.register(feedbackRoutes, { path })
  for (const routes of [errorRoutes, eventRoutes, attachmentRoutes, errorChanges, errorComments, regroupRoutes]) {
    await app.register(routes, { path: `${path}/errors` })
  }
}
