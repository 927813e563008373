import type { Logger } from 'pino'
import { takeWebhookEvents, type WebhookEvent } from '../outbox/webhook-event-store.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { Git } from '../platform/git/git.ts'
import { type DueWebhook, insertWebhookDeliveries } from './deliveries/webhook-delivery-store.ts'
import type { Notice } from './events.ts'
import { findWebhooks, wants } from './find-webhooks.ts'
import { auditNotices } from './payloads/audit-payload.ts'
import { jobNotices, pipelineNotices } from './payloads/ci-payload.ts'
import { issueNotices } from './payloads/issue-payload.ts'
import { noteNotices } from './payloads/note-payload.ts'
import type { Context } from './payloads/people-and-places.ts'
import { pushNotices } from './payloads/push-payload.ts'
import type { Webhook } from './webhook.ts'

const batchSize = 50

interface Deps {
  baseUrl: string
  git: Git
  log: Logger
}

const noticesOf = {
  issue: issueNotices,
  note: noteNotices,
  push: pushNotices,
  audit: auditNotices,
  pipeline: pipelineNotices,
  job: jobNotices
}

/** Turns events into deliveries, in one transaction: an event is dispatched exactly once. As `dispatchBatch` of notifications. */
export function dispatchWebhookEvents(em: EntityManager, deps: Deps, at: Date) {
  return em.fork().transactional(async em => {
    const events = await takeWebhookEvents(em, batchSize)
    const deliveries: DueWebhook[] = []

    for (const event of events) {
      const webhooks = await findWebhooks(em, event)
      const notices = webhooks.length > 0 ? await buildNotices({ em, ...deps }, event) : []

      deliveries.push(
        ...(await insertWebhookDeliveries(
          em,
          notices.flatMap(notice => requestsOf(webhooks, notice, event, at))
        ))
      )
    }

    return { deliveries, hasMore: events.length === batchSize }
  })
}

/** An event that cannot be presented must not hold up the others. */
async function buildNotices(context: Context & Deps, event: WebhookEvent): Promise<Notice[]> {
  try {
    return await noticesOf[event.kind](context, event)
  } catch (error) {
    context.log.error({ err: error, webhookEvent: event.id }, 'a webhook event could not be presented')

    return []
  }
}

function requestsOf(webhooks: Webhook[], notice: Notice, event: WebhookEvent, at: Date) {
  return webhooks
    .filter(webhook => wants(webhook, notice))
    .map(({ id, disabledUntil }) => ({
      webhookId: id,
      eventId: event.id,
      eventUuid: event.uuid,
      eventName: notice.name,
      trigger: triggerOf(notice),
      payload: JSON.stringify(notice.payload),
      sendAt: disabledUntil && disabledUntil > at ? disabledUntil : at
    }))
}

/** GitLab's name in the list of deliveries. A push has one for each reference. */
export function triggerOf({ flag, payload }: Pick<Notice, 'flag' | 'payload'>) {
  const name = flag ? flag.replace('_events', '_hooks') : 'system_hooks'

  return typeof payload.ref === 'string' ? `${name} ${payload.ref}` : name
}
