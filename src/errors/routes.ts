import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { attachmentRoutes } from './events/attachment-routes.ts'
import { eventRoutes } from './events/event-routes.ts'
import { messageRoutes } from './events/message-routes.ts'
import { feedbackRoutes } from './feedback/feedback-routes.ts'
import { errorChanges } from './groups/change-routes.ts'
import { errorComments } from './groups/comment-routes.ts'
import { errorRoutes } from './groups/group-routes.ts'
import { mergeRoutes } from './merge/merge-routes.ts'
import { ownershipRoutes } from './ownership/ownership-routes.ts'
import { releaseRoutes } from './releases/release-routes.ts'
import { savedSearchRoutes } from './search/saved-search-routes.ts'
import { clientKeyRoutes } from './settings/client-key-routes.ts'
import { errorSettingsRoutes } from './settings/setting-routes.ts'
import { statsRoutes } from './stats/stats-routes.ts'

/** The REST resources of error tracking, below a path that names the project. */
export const errorTracking: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  await app.register(errorSettingsRoutes, { path })
  await app.register(clientKeyRoutes, { path: `${path}/client_keys` })
  await app.register(ownershipRoutes, { path: `${path}/ownership` })
  await app.register(statsRoutes, { path: `${path}/stats` })
  await app.register(releaseRoutes, { path: `${path}/releases` })
  await app.register(savedSearchRoutes, { path: `${path}/saved_searches` })
  await app.register(feedbackRoutes, { path })
  await app.register(messageRoutes, { path })
  for (const routes of [errorRoutes, eventRoutes, attachmentRoutes, errorChanges, errorComments, mergeRoutes]) {
    await app.register(routes, { path: `${path}/errors` })
  }
}
