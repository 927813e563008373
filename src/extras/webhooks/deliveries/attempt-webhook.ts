import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { failuresBeforePause, Webhook } from '../webhook.ts'
import type { deliverWebhook } from './jobs.ts'
import { type Answer, type SendConfig, sendRequest } from './send-request.ts'
import { countCall, mayStart, nextMinute, startWaiting, type TurnLimits } from './turn-store.ts'
import { WebhookDelivery } from './webhook-delivery.ts'
import { countFailure, type DueWebhook, forgetFailures } from './webhook-delivery-store.ts'

const maxTries = 10
const firstPauseMs = 30_000
const longestPauseMs = 3_600_000
/** A delivery waits no longer for a webhook that pauses. */
const maxAgeMs = 3 * 24 * 3_600_000

type Item = ItemOf<typeof deliverWebhook>

type AttemptConfig = SendConfig & { webhooks: TurnLimits }

/**
 * Attempts to send a request. The row says which attempt is due, so that an earlier job that runs again does nothing. A process that
 * dies after the receiver accepted sends the same request again, with the same `Idempotency-Key`. Returns the deliveries that are next.
 */
export async function attemptWebhook(em: EntityManager, item: Item, config: AttemptConfig, at: Date): Promise<DueWebhook[]> {
  const begun = await begin(em, item, config.webhooks, at)
  if (!begun) return []
  const retry = await send(em, item, config, begun, at)
  const admitted = await startWaiting(em, [begun.webhook.id], config.webhooks, new Date())

  return retry ? [retry, ...admitted] : admitted
}

async function send(em: EntityManager, item: Item, config: AttemptConfig, { delivery, webhook }: Begun, at: Date) {
  if (webhook.isDisabled())
    return finish(em, item, { status: 'internal error', text: 'Not sent: the webhook is disabled.' }, { at, isFinal: true })
  if (webhook.isPaused(at)) return postpone(em, item, webhook.disabledUntil!, at)
  const answer = await sendRequest(config, webhook, delivery)

  if (answer.isAccepted) await forgetFailures(em.fork(), webhook.id)
  else await countFailure(em.fork(), webhook.id, at, failuresBeforePause)

  return finish(em, item, answer, { at, isFinal: !answer.isTemporary })
}

/** For an attempt whose job failed for good, by an error of this program. */
export function giveUpWebhook(em: EntityManager, item: Item, at: Date) {
  return finish(em, item, { status: 'internal error', text: 'Not sent because of an internal error.' }, { at, isFinal: true })
}

interface Begun {
  delivery: WebhookDelivery
  webhook: Webhook
}

/** Undefined when the attempt is not due, or has to wait for its turn. */
function begin(em: EntityManager, item: Item, limits: TurnLimits, at: Date): Promise<Begun | undefined> {
  return em.fork().transactional(async em => {
    const webhook = await lockWebhookOf(em, item)
    const delivery = webhook && (await findDelivery(em, item))

    if (!delivery?.isOpen()) return undefined
    const waitsUntil = webhook!.isDisabled() || webhook!.isPaused(at) ? undefined : await takeTurn(em, webhook!, delivery, limits, at)

    if (waitsUntil) delivery.wait(waitsUntil)
    else delivery.status = 'sending'

    return waitsUntil ? undefined : { delivery, webhook: webhook! }
  })
}

/** Locked before its delivery, as a deletion does. Undefined when it was deleted. */
async function lockWebhookOf(em: EntityManager, { deliveryId, attempt }: Item) {
  const [delivery] = await em.find(
    WebhookDelivery,
    { id: deliveryId, attempts: attempt },
    { fields: ['webhookId'], disableIdentityMap: true }
  )

  if (!delivery) return undefined
  await lockRow(em, 'webhooks', delivery.webhookId)

  return em.findOne(Webhook, { id: delivery.webhookId })
}

/** When a request has to wait, until when. */
async function takeTurn(em: EntityManager, webhook: Webhook, delivery: WebhookDelivery, limits: TurnLimits, at: Date) {
  if (!(await mayStart(em, webhook, delivery.id, limits, at))) return at

  return (await countCall(em, webhook.id, limits, at)) ? undefined : nextMinute(at)
}

function postpone(em: EntityManager, item: Item, until: Date, at: Date) {
  return withDelivery(em, item, async delivery => {
    const isOld = at.getTime() - delivery.createdAt.getTime() > maxAgeMs

    delivery.attempts++
    delivery.status = isOld ? 'failed' : 'pending'
    delivery.sendAt = until
    if (isOld) Object.assign(delivery, { responseStatus: 'internal error', responseBody: 'Not sent: the webhook failed for too long.' })

    return isOld ? undefined : toDue(delivery)
  })
}

function finish(em: EntityManager, item: Item, answer: Answer, { at, isFinal }: { at: Date; isFinal: boolean }) {
  return withDelivery(em, item, async delivery => {
    delivery.attempts++
    delivery.tries++
    recordAnswer(delivery, answer)
    const isRetried = !answer.isAccepted && !isFinal && delivery.tries < maxTries

    delivery.status = answer.isAccepted ? 'sent' : isRetried ? 'pending' : 'failed'
    if (isRetried) delivery.sendAt = new Date(at.getTime() + pauseMs(delivery.tries))

    return isRetried ? toDue(delivery) : undefined
  })
}

export function recordAnswer(delivery: WebhookDelivery, { status, text, url, requestHeaders, responseHeaders, seconds }: Answer) {
  Object.assign(delivery, {
    url: url ?? delivery.url,
    requestHeaders: requestHeaders ?? delivery.requestHeaders,
    responseHeaders: responseHeaders ?? {},
    responseStatus: status,
    responseBody: text,
    executionDuration: seconds ?? 0
  })
}

function withDelivery<T>(em: EntityManager, item: Item, change: (delivery: WebhookDelivery) => Promise<T>) {
  return em.fork().transactional(async em => {
    const delivery = await findDelivery(em, item)

    return delivery ? change(delivery) : undefined
  })
}

function findDelivery(em: EntityManager, { deliveryId, attempt }: Item) {
  return em.findOne(WebhookDelivery, { id: deliveryId, attempts: attempt }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

function toDue({ id, attempts, sendAt }: WebhookDelivery): DueWebhook {
  return { id, attempts, sendAt }
}

/** Exponential backoff with jitter, over some three hours. */
function pauseMs(tries: number) {
  return Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.75 + Math.random() / 2)
}
