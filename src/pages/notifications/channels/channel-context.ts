import type { FastifyRequest } from 'fastify'
import { channels } from '#notifications/channels/channel-resource.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { getRow } from '#notifications/project-resource.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { notificationsUrl } from '../frame.ts'

export interface ChannelContext extends PageContext {
  channel: NotificationChannel
  /** The path of its page. */
  channelUrl: string
}

export async function channelContext(request: FastifyRequest): Promise<ChannelContext> {
  const context = await pageContext(request)
  const channel = await getRow(context.em, channels, context.project.id, Number((request.params as { channel: string }).channel))

  return { ...context, channel, channelUrl: `${notificationsUrl(context)}/channels/${channel.id}` }
}
