import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

/**
 * `pending` until its time, `sending` during an attempt, `retrying` until the next one, `sent` when it was accepted, `failed` when it
 * was given up, `held` by a mute, `discarded` when it need not be sent.
 */
export const deliveryStatuses = ['pending', 'sending', 'retrying', 'sent', 'failed', 'held', 'discarded'] as const
/** An attempt is to come, or under way. */
const openStatuses: readonly string[] = ['pending', 'sending', 'retrying'] satisfies DeliveryStatus[]
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const DeliverySchema = defineEntity({
  name: 'NotificationDelivery',
  tableName: 'notification_deliveries',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    /** `channel-1`, `user-2` or `email-a@b.c`: who gets it, and by which way. */
    target: p.text(),
    channelId: p.bigint('number').nullable(),
    userId: p.bigint('number').nullable(),
    /** An e-mail address without a user. */
    address: p.text().nullable(),
    /** Why the target gets it. */
    reason: p.text(),
    status: p.text().$type<DeliveryStatus>().default('pending'),
    muteId: p.bigint('number').nullable(),
    isLimited: p.boolean().default(false),
    /** Until then, a pending delivery gathers occurrences; afterwards, the time of the next attempt. */
    sendAt: p.datetime(3),
    attempts: p.integer().default(0),
    /** When it is sent again, attempts are counted from here. */
    firstAttempt: p.integer().default(0),
    /** What the receiver answered last. */
    answer: p.text().nullable(),
    sentAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A message to one recipient over one channel, and what became of it. */
export class Delivery extends DeliverySchema.class {
  /** Whether no attempt is to come. */
  get isFinal() {
    return !openStatuses.includes(this.status)
  }

  /** Whether no attempt is under way: none is to come, or the next one has a time. */
  canBeSent(at: Date) {
    return this.isFinal || this.sendAt > at
  }

  /** The number of attempts only grows: it tells the jobs of this delivery apart. */
  resend(at: Date) {
    this.attempts++
    this.firstAttempt = this.attempts
    this.status = 'sending'
    this.sendAt = at
  }
}

DeliverySchema.setClass(Delivery)
