import type { EntityManager } from '../../platform/database/database.ts'
import { openSecrets, ProjectIntegration } from '../../projects/integrations/project-integration.ts'
import { NotificationChannel } from '../channels/notification-channel.ts'
import { sendByMail } from '../mail/send-by-mail.ts'
import type { Message } from '../messages/message.ts'
import { integrationKinds } from '../rules/integration-rules.ts'
import { getsMail, integrationIdOf } from './addressee.ts'
import type { Delivery } from './delivery.ts'
import type { Outcome, SendDeps } from './outcome.ts'
import { postMessage, sendToChannel } from './send-to-channel.ts'

/** Sends a message over the channel of its delivery, through an integration of the project, or by e-mail. */
export async function sendMessage(em: EntityManager, delivery: Delivery, message: Message, deps: SendDeps): Promise<Outcome> {
  if (getsMail(delivery.target)) return sendByMail(em, delivery, message, deps)
  const integrationId = integrationIdOf(delivery.target)

  if (integrationId !== undefined) return sendToIntegration(em, integrationId, message, deps)
  const channel = delivery.channelId ? await em.findOne(NotificationChannel, { id: delivery.channelId }) : null

  return channel?.isActive ? sendToChannel(channel, message, deps) : { status: 'failed', answer: 'The channel was turned off or deleted.' }
}

async function sendToIntegration(em: EntityManager, id: number, message: Message, deps: SendDeps): Promise<Outcome> {
  const integration = await em.findOne(ProjectIntegration, { id, active: true })

  if (!integration) return { status: 'failed', answer: 'The integration was disabled.' }
  const { webhook } = await openSecrets(deps.config, integration)

  return postMessage(integrationKinds[integration.slug]!, webhook ? { url: webhook } : undefined, message, deps)
}
