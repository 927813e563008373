import type { FastifyInstance } from 'fastify'
import { ownerPagesOf } from '#pages/namespaces/owner-context.ts'
import { webhookFormPages } from './form/form-pages.ts'
import { webhookListPage } from './webhook-list.ts'

/** Webhooks of projects and groups, and system hooks. */
export async function webhookPages(app: FastifyInstance) {
  for (const routes of ownerPagesOf(app, 'hooks')) {
    await app.register(webhookListPage, routes)
    await app.register(webhookFormPages, routes)
  }
}
