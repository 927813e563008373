import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { NotificationChannel } from '../channels/notification-channel.ts'
import { sendByMail } from '../mail/send-by-mail.ts'
import { loadMessage } from '../messages/load-message.ts'
import type { Message } from '../messages/message.ts'
import { getsMail } from './addressee.ts'
import { recordAttempt } from './attempts.ts'
import { Delivery } from './delivery.ts'
import type { DueDelivery } from './delivery-store.ts'
import type { sendDelivery } from './jobs.ts'
import type { Outcome, SendDeps } from './outcome.ts'
import { sendToChannel } from './send-to-channel.ts'

const maxAttempts = 14
const maxAnswer = 500
const firstPauseMs = 30_000
const longestPauseMs = 3_600_000
const longestRetryAfterMs = 6 * 3_600_000

/**
 * Attempts to send a delivery. The row says which attempt is due, so that an earlier job that runs again does nothing. A process
 * that dies after the receiver accepted sends the message again, with the same id. Returns the next attempt, if there is one.
 */
export async function attemptDelivery(
  em: EntityManager,
  { deliveryId, attempt }: ItemOf<typeof sendDelivery>,
  deps: SendDeps,
  at: Date
): Promise<DueDelivery | undefined> {
  const delivery = await begin(em, deliveryId, attempt)

  if (!delivery) return undefined
  const message = await loadMessage(em, delivery, deps.config.baseUrl)
  const outcome: Outcome = message
    ? await sendMessage(em, delivery, message, deps)
    : { status: 'discarded', answer: 'Not sent: everything it was about has been deleted.' }

  deps.metrics?.delivered(getsMail(delivery.target) ? 'mail' : 'channel', outcome.status)

  return finish(em, delivery, outcome, at)
}

/** From now on, the delivery gathers nothing more. */
function begin(em: EntityManager, id: number, attempt: number) {
  return em.fork().transactional(async em => {
    const delivery = await em.findOne(Delivery, { id, attempts: attempt }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!delivery || delivery.isFinal) return undefined
    delivery.status = 'sending'

    return delivery
  })
}

/** For an attempt whose job failed for good, by an error of this program. Users find it in the log, and can send it again. */
export function giveUpDelivery(em: EntityManager, { deliveryId: id, attempt: attempts }: ItemOf<typeof sendDelivery>, at: Date) {
  return finish(em, { id, attempts }, { status: 'failed', answer: 'Not sent because of an internal error.' }, at)
}

function finish(em: EntityManager, { id, attempts }: Pick<Delivery, 'id' | 'attempts'>, outcome: Outcome, at: Date) {
  return em.fork().transactional(async em => {
    const delivery = await em.findOne(Delivery, { id, attempts }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!delivery) return undefined
    delivery.attempts++
    delivery.answer = outcome.answer.slice(0, maxAnswer).toWellFormed().replaceAll('\0', '')
    const attempted = delivery.attempts - delivery.firstAttempt
    const isRetried = outcome.status === 'retry' && attempted < maxAttempts

    if (isRetried) {
      delivery.status = 'retrying'
      delivery.sendAt = new Date(at.getTime() + pauseMs(attempted, outcome.retryAfterMs))
    } else {
      delivery.status = outcome.status === 'retry' ? 'failed' : outcome.status
      delivery.sentAt = outcome.status === 'sent' ? at : null
    }
    await recordAttempt(em, id, {
      attempt: delivery.attempts,
      at,
      status: outcome.status,
      answer: delivery.answer,
      next_at: isRetried ? delivery.sendAt : null
    })

    return isRetried ? { id, projectId: delivery.projectId, attempts: delivery.attempts, sendAt: delivery.sendAt } : undefined
  })
}

/** Exponential backoff with jitter, over some seven hours; a receiver's `Retry-After` lengthens it. */
function pauseMs(attempts: number, retryAfterMs = 0) {
  const pause = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs)

  return Math.max(pause * (0.75 + Math.random() / 2), Math.min(retryAfterMs, longestRetryAfterMs))
}

/** Sends a message over the channel of its delivery, or by e-mail. */
async function sendMessage(em: EntityManager, delivery: Delivery, message: Message, deps: SendDeps): Promise<Outcome> {
  if (getsMail(delivery.target)) return sendByMail(em, delivery, message, deps)
  const channel = delivery.channelId ? await em.findOne(NotificationChannel, { id: delivery.channelId }) : null

  return channel?.isActive ? sendToChannel(channel, message, deps) : { status: 'failed', answer: 'The channel was turned off or deleted.' }
}
