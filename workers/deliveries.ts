import { attemptDelivery, giveUpDelivery } from '../src/notifications/deliveries/attempt-delivery.ts'
import { findOverdue } from '../src/notifications/deliveries/delivery-store.ts'
import { dispatchBatch } from '../src/notifications/deliveries/dispatch.ts'
import { enqueueDeliveries } from '../src/notifications/deliveries/enqueue-deliveries.ts'
import { dispatchOutbox, endMutes, evaluateRules, sendDelivery } from '../src/notifications/deliveries/jobs.ts'
import { reportEndedMutes } from '../src/notifications/mutes/report-firing.ts'
import { enqueuePlaceMails } from '../src/notifications/place-mails/jobs.ts'
import { evaluateConditions } from '../src/notifications/rules/condition-store.ts'
import { handle, type JobContext } from '../src/platform/queue/handler.ts'
import { attemptWebhook, giveUpWebhook } from '../src/webhooks/deliveries/attempt-webhook.ts'
import { deliverWebhook, enqueueWebhooks } from '../src/webhooks/deliveries/jobs.ts'
import { admitWaiting, findStalledWebhooks } from '../src/webhooks/deliveries/turn-store.ts'
import { findOverdueWebhooks } from '../src/webhooks/deliveries/webhook-delivery-store.ts'
import { dispatchWebhookEvents } from '../src/webhooks/dispatch-webhook-events.ts'

const overdueMs = 60_000
const maxOverdue = 1000

export const deliveries = [
  handle(dispatchOutbox, async (_items, context) => {
    const { em, config, mail, queues, signal } = context
    const options = { baseUrl: config.baseUrl, hasMail: mail !== undefined }

    for (let hasMore = true; hasMore; ) {
      signal.throwIfAborted()
      const batch = await dispatchBatch(em, options, new Date())

      await enqueueDeliveries(queues, batch.deliveries, new Date())
      hasMore = batch.hasMore
    }
    await enqueueDeliveries(queues, await findOverdue(em, new Date(Date.now() - overdueMs), maxOverdue), new Date())
    await enqueuePlaceMails(em, queues)
    await dispatchToWebhooks(context)
  }),
  handle(evaluateRules, (_items, { em }) => evaluateConditions(em, new Date())),
  handle(endMutes, (_items, { em }) => reportEndedMutes(em, new Date())),
  handle(
    sendDelivery,
    async (items, { em, config, mail, queues }) => {
      for (const item of items) {
        const next = await attemptDelivery(em, item, { config, mail }, new Date())

        if (next) await enqueueDeliveries(queues, [next], new Date())
      }
    },
    {
      failed: async (items, { em }) => {
        for (const item of items) await giveUpDelivery(em, item, new Date())
      }
    }
  ),
  handle(
    deliverWebhook,
    async (items, { em, config, queues }) => {
      for (const item of items) {
        await enqueueWebhooks(queues, await attemptWebhook(em, item, config, new Date()), new Date())
      }
    },
    {
      failed: async (items, { em }) => {
        for (const item of items) await giveUpWebhook(em, item, new Date())
      }
    }
  )
]

async function dispatchToWebhooks({ em, config, git, log, queues, signal }: JobContext) {
  const deps = { baseUrl: config.baseUrl, maxWaiting: config.webhooks.maxWaiting, git, log }
  const admit = async (webhookIds: number[]) =>
    enqueueWebhooks(queues, await admitWaiting(em, webhookIds, config.webhooks, new Date()), new Date())

  for (let hasMore = true; hasMore; ) {
    signal.throwIfAborted()
    const batch = await dispatchWebhookEvents(em, deps, new Date())

    await admit(batch.webhookIds)
    hasMore = batch.hasMore
  }
  await enqueueWebhooks(queues, await findOverdueWebhooks(em, new Date(Date.now() - overdueMs), maxOverdue), new Date())
  await admit(await findStalledWebhooks(em, new Date()))
}
