import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorChanges } from './changes.ts'
import { errorRoutes } from './errors.ts'
import { eventRoutes } from './events.ts'
import { regroupRoutes } from './regroup.ts'
import { errorSettingsRoutes } from './settings.ts'

/** The REST resources of error tracking, below a path that names the project. */
export const errorTracking: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  await app.register(errorSettingsRoutes, { path })
  for (const routes of [errorRoutes, eventRoutes, errorChanges, regroupRoutes]) await app.register(routes, { path: `${path}/errors` })
}
