import { TooOften } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockKey } from '#platform/database/locks.ts'
import { recordAnswer } from './deliveries/attempt-webhook.ts'
import { type SendConfig, sendRequest } from './deliveries/send-request.ts'
import { countCall, type TurnLimits } from './deliveries/turn-store.ts'
import { WebhookDelivery } from './deliveries/webhook-delivery.ts'
import { forgetFailures } from './deliveries/webhook-delivery-store.ts'
import { triggerOf } from './dispatch-webhook-events.ts'
import type { Notice } from './events.ts'
import type { Webhook } from './webhook.ts'

type TestConfig = SendConfig & { webhooks: Pick<TurnLimits, 'perMinute'> }

/** Sends a request at once, outside of any transaction. A success enables a webhook again that failed too often. */
export function sendTest(em: EntityManager, config: TestConfig, webhook: Webhook, notice: Notice, at: Date) {
  return sendNow(em, config, webhook, { eventName: notice.name, trigger: triggerOf(notice), payload: JSON.stringify(notice.payload) }, at)
}

/** A request that was sent is sent again, as a delivery of its own; receivers know it by the event's id. */
export function sendAgain(em: EntityManager, config: TestConfig, webhook: Webhook, former: WebhookDelivery, at: Date) {
  const { eventName, eventUuid, trigger, payload } = former

  return sendNow(em, config, webhook, { eventName, eventUuid, trigger, payload }, at)
}

type Request = Pick<WebhookDelivery, 'eventName' | 'trigger' | 'payload'> & { eventUuid?: string }

async function sendNow(em: EntityManager, config: TestConfig, webhook: Webhook, request: Request, at: Date) {
  const ids = { uuid: crypto.randomUUID(), eventUuid: request.eventUuid ?? crypto.randomUUID() }

  if (!(await countCall(em, webhook.id, config.webhooks, at))) throw new TooOften()
  const answer = await sendRequest(config, webhook, { ...request, ...ids })

  await em.transactional(async em => {
    // It may have been deleted while the receiver answered.
    if (!(await lockKey(em, 'webhooks', webhook.id))) return
    const delivery = em.create(WebhookDelivery, { ...request, ...ids, webhookId: webhook.id, sendAt: at, tries: 1, attempts: 1 })

    delivery.status = answer.isAccepted ? 'sent' : 'failed'
    recordAnswer(delivery, answer)
  })
  if (answer.isAccepted) await forgetFailures(em, webhook.id)

  return answer
}
