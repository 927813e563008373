import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { channels } from './channels/channel-resource.ts'
import { channelRoutes } from './channels/channel-routes.ts'
import { deliveryRoutes } from './deliveries/delivery-routes.ts'
import { mutes } from './mutes/mute-resource.ts'
import { muteRoutes } from './mutes/mute-routes.ts'
import { projectResourceRoutes } from './project-resource-routes.ts'
import { rules } from './rules/rule-resource.ts'
import { notificationSettingRoutes } from './settings/setting-routes.ts'

export const notificationRoutes: FastifyPluginAsyncTypebox = async app => {
  await app.register(notificationSettingRoutes)
  await app.register(projectResourceRoutes(rules))
  await app.register(projectResourceRoutes(channels))
  await app.register(projectResourceRoutes(mutes))
  await app.register(muteRoutes)
  await app.register(channelRoutes)
  await app.register(deliveryRoutes)
}
