import type { Extra } from '#platform/extra.ts'
import { handle } from '#platform/queue/handler.ts'
import { attemptWebhook, giveUpWebhook } from './deliveries/attempt-webhook.ts'
import { dispatchToWebhooks } from './deliveries/dispatch-to-webhooks.ts'
import { deliverWebhook, enqueueWebhooks } from './deliveries/jobs.ts'
import { WebhookDelivery } from './deliveries/webhook-delivery.ts'
import { deleteOldWebhookDeliveries } from './deliveries/webhook-delivery-store.ts'
import { webhookPages } from './pages/webhook-pages.ts'
import { webhooks } from './routes/routes.ts'
import { Webhook } from './webhook.ts'

export const extra: Extra = {
  name: 'webhooks',
  entities: [Webhook, WebhookDelivery],
  routes: webhooks,
  pages: webhookPages,
  jobs: {
    deliveries: [
      handle(
        deliverWebhook,
        async (items, { em, config, queues }) => {
          for (const item of items) await enqueueWebhooks(queues, await attemptWebhook(em, item, config, new Date()), new Date())
        },
        {
          failed: async (items, { em }) => {
            for (const item of items) await giveUpWebhook(em, item, new Date())
          }
        }
      )
    ]
  },
  dispatch: dispatchToWebhooks,
  cleanups: [(em, _config, at) => deleteOldWebhookDeliveries(em, at)],
  links: { settings: [{ path: 'hooks', name: 'Webhooks' }], admin: [{ path: 'hooks', name: 'System hooks' }] }
}
