import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

function headers() {
  return p
    .json()
    .$type<Record<string, string>>()
    .onCreate(() => ({}))
}

export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    webhookId: p.bigint('number'),
    /** Null for a test, or one that was sent again. */
    eventId: p.bigint('number').nullable(),
    /** The same for each attempt: `Idempotency-Key`. */
    uuid: p.uuid().defaultRaw('gen_random_uuid()'),
    /** The same for all webhooks that receive an event. */
    eventUuid: p.uuid().defaultRaw('gen_random_uuid()'),
    eventName: p.text(),
    trigger: p.text(),
    /** JSON, as it is sent. */
    payload: p.text(),
    /** A waiting one has no job until it is admitted. */
    status: p.text().$type<'waiting' | 'pending' | 'sending' | 'sent' | 'failed'>().default('pending'),
    sendAt: p.datetime(3),
    /** Jobs are numbered by it; pauses of the webhook count. */
    attempts: p.integer().default(0),
    /** Requests that were made. */
    tries: p.integer().default(0),
    url: p.text().nullable(),
    requestHeaders: headers(),
    responseHeaders: headers(),
    responseStatus: p.text().nullable(),
    responseBody: p.text().nullable(),
    executionDuration: p.double().$type<number>().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** One request to a webhook, and what became of it. */
export class WebhookDelivery extends WebhookDeliverySchema.class {
  /** Whether an attempt may begin. */
  isOpen() {
    return this.status === 'pending' || this.status === 'sending'
  }

  wait(until: Date) {
    this.attempts++
    this.status = 'waiting'
    this.sendAt = until
  }
}

WebhookDeliverySchema.setClass(WebhookDelivery)
