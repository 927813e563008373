import type { Extra } from '#platform/extra.ts'
import type { JobContext } from '#platform/queue/handler.ts'
import { dispatchWebhookEvents } from '../dispatch-webhook-events.ts'
import { enqueueWebhooks } from './jobs.ts'
import { findStalledWebhooks, startWaiting } from './turn-store.ts'
import { findOverdueWebhooks } from './webhook-delivery-store.ts'

const overdueMs = 60_000
const maxOverdue = 1000

export async function dispatchToWebhooks({ em, config, git, log, queues, signal }: JobContext, extras: Extra[]) {
  const deps = { baseUrl: config.baseUrl, maxWaiting: config.webhooks.maxWaiting, git, log, extras }
  const admit = async (webhookIds: number[]) =>
    enqueueWebhooks(queues, await startWaiting(em, webhookIds, config.webhooks, new Date()), new Date())

  for (let hasMore = true; hasMore; ) {
    signal.throwIfAborted()
    const batch = await dispatchWebhookEvents(em, deps, new Date())

    await admit(batch.webhookIds)
    hasMore = batch.hasMore
  }
  await enqueueWebhooks(queues, await findOverdueWebhooks(em, new Date(Date.now() - overdueMs), maxOverdue), new Date())
  await admit(await findStalledWebhooks(em, new Date()))
}
