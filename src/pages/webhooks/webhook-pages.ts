import type { FastifyInstance } from 'fastify'
import { webhookFormPages } from './form/form-pages.ts'
import { webhookListPage } from './list/webhook-list.ts'
import { webhookRoutesOf } from './webhook-place.ts'

/** Webhooks of projects and groups, and system hooks. */
export async function webhookPages(app: FastifyInstance) {
  for (const routes of webhookRoutesOf(app)) {
    await app.register(webhookListPage, routes)
    await app.register(webhookFormPages, routes)
  }
}
