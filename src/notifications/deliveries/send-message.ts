import type { EntityManager } from '#platform/database/database.ts'
import { NotificationChannel } from '../channels/notification-channel.ts'
import { sendByMail } from '../mail/send-by-mail.ts'
import type { Message } from '../messages/message.ts'
import { getsMail } from './addressee.ts'
import type { Delivery } from './delivery.ts'
import type { Outcome, SendDeps } from './outcome.ts'
import { sendToChannel } from './send-to-channel.ts'

/** Sends a message over the channel of its delivery, or by e-mail. */
export async function sendMessage(em: EntityManager, delivery: Delivery, message: Message, deps: SendDeps): Promise<Outcome> {
  if (getsMail(delivery.target)) return sendByMail(em, delivery, message, deps)
  const channel = delivery.channelId ? await em.findOne(NotificationChannel, { id: delivery.channelId }) : null

  return channel?.isActive ? sendToChannel(channel, message, deps) : { status: 'failed', answer: 'The channel was turned off or deleted.' }
}
