import { listDueForwardings } from '#errors/forwarding/forwarding-store.ts'
import { enqueueForwarding, forwardEnvelopes, resumeForwarding } from '#errors/forwarding/jobs.ts'
import { sendKept } from '#errors/forwarding/send-kept.ts'
import { attemptDelivery, giveUpDelivery } from '#notifications/deliveries/attempt-delivery.ts'
import { findOverdue } from '#notifications/deliveries/delivery-store.ts'
import { dispatchBatch } from '#notifications/deliveries/dispatch.ts'
import { enqueueDeliveries } from '#notifications/deliveries/enqueue-deliveries.ts'
import { dispatchOutbox, endMutes, evaluateRules, sendDelivery } from '#notifications/deliveries/jobs.ts'
import { enqueueLetters } from '#notifications/mail/jobs.ts'
import { discardOldLetters } from '#notifications/mail/send-letter.ts'
import { reportEndedMutes } from '#notifications/mutes/report-firing.ts'
import { evaluateConditions } from '#notifications/rules/condition-store.ts'
import type { Extra } from '#platform/extra.ts'
import { handle } from '#platform/queue/handler.ts'

const overdueMs = 60_000
const maxOverdue = 1000

export const deliveriesOf = (extras: Extra[]) => [
  handle(dispatchOutbox, async (_items, context) => {
    const { em, config, mail, queues, signal } = context
    const options = { baseUrl: config.baseUrl, hasMail: mail.isConfigured }

    for (let hasMore = true; hasMore; ) {
      signal.throwIfAborted()
      const batch = await dispatchBatch(em, options, new Date())

      await enqueueDeliveries(queues, batch.deliveries, new Date())
      hasMore = batch.hasMore
    }
    await enqueueDeliveries(queues, await findOverdue(em, new Date(Date.now() - overdueMs), maxOverdue), new Date())
    await (mail.isConfigured ? enqueueLetters(em, queues) : discardOldLetters(em, new Date()))
    for (const { dispatch } of extras) await dispatch?.(context, extras)
  }),
  handle(forwardEnvelopes, async (items, { em, config, queues, signal }) => {
    for (const { projectId } of items) {
      if (await sendKept({ fork: () => em.fork(), config, signal }, projectId)) await enqueueForwarding(queues, projectId, { again: true })
    }
  }),
  handle(resumeForwarding, async (_items, { em, queues }) => {
    for (const projectId of await listDueForwardings(em)) await enqueueForwarding(queues, projectId)
  }),
  handle(evaluateRules, (_items, { em }) => evaluateConditions(em, new Date())),
  handle(endMutes, (_items, { em }) => reportEndedMutes(em, new Date())),
  handle(
    sendDelivery,
    async (items, { em, config, mail, queues, metrics }) => {
      for (const item of items) {
        const next = await attemptDelivery(em, item, { config, mail, metrics }, new Date())

        if (next) await enqueueDeliveries(queues, [next], new Date())
      }
    },
    {
      failed: async (items, { em }) => {
        for (const item of items) await giveUpDelivery(em, item, new Date())
      }
    }
  )
]
