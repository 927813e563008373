import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorChanges } from './changes.ts'
import { clientKeyRoutes } from './client-keys.ts'
import { errorRoutes } from './errors.ts'
import { eventRoutes } from './events.ts'
import { errorSettingsRoutes } from './settings.ts'
import { statsRoutes } from './stats.ts'

/** The REST resources of error tracking, below a path that names the project. */
export const errorTracking: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  await app.register(errorSettingsRoutes, { path })
  await app.register(clientKeyRoutes, { path: `${path}/client_keys` })
  await app.register(statsRoutes, { path: `${path}/stats` })
  for (const routes of [errorRoutes, eventRoutes, errorChanges]) await app.register(routes, { path: `${path}/errors` })
}
