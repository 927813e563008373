import { isObject, type Json, parseJson } from '#lib/json.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import type { receiveAlerts } from '../jobs.ts'
import type { confirmSubscription } from './jobs.ts'

const controlTypes = ['SubscriptionConfirmation', 'UnsubscribeConfirmation']
/** Real ones have 2 KiB. */
const maxLength = 16_384
const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** Whether SNS informs about the subscription itself: such a message is not an alert. */
export function isSubscriptionMessage({ Type, TopicArn, Token }: Json) {
  return controlTypes.includes(Type as string) && typeof TopicArn === 'string' && typeof Token === 'string'
}

/** The subscriptions to confirm. An ended subscription needs no answer. */
export function confirmationsIn(requests: ItemOf<typeof receiveAlerts>[]): ItemOf<typeof confirmSubscription>[] {
  return requests.flatMap(({ id, integrationId, body }) => {
    if (integrationId === null) return []
    // Hot path: other payloads are not parsed again.
    const payload = body.length <= maxLength && body.includes('"SubscriptionConfirmation"') ? parseJson(body) : undefined

    if (!isObject(payload) || !isSubscriptionMessage(payload) || payload.Type !== 'SubscriptionConfirmation') return []

    return [{ integrationId, cause: id, message: textsOf(payload) }]
  })
}

/** A URL of SNS; undefined for all others, which the sender of a forged message may have chosen. */
export function snsUrl(text: string | undefined) {
  const url = URL.parse(text ?? '')

  return url?.protocol === 'https:' && host.test(url.host) && !url.username && !url.password ? url : undefined
}

function textsOf(payload: Json) {
  return Object.fromEntries(Object.entries(payload).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
