import type { FastifyRequest } from 'fastify'
import { NotFound } from '#lib/refusals.ts'
import type { PagePlace } from '#pages/namespaces/page-place.ts'
import { columnsOf, type Place } from '#projects/place.ts'
import { Webhook } from '../webhook.ts'

/** What the webhooks of a place are called. */
export function nounsOf(place: Place) {
  return place === 'system' ? { one: 'System hook', many: 'System hooks' } : { one: 'Webhook', many: 'Webhooks' }
}

/** The part of a path that names a webhook. */
export const webhookPart = ':hook(^\\d{1,15}$)'

/** The webhook that a request names. */
export async function findWebhook({ em, owner }: PagePlace, { params }: FastifyRequest) {
  const webhook = await em.findOne(Webhook, { id: Number((params as { hook: string }).hook), ...columnsOf(owner) })

  if (!webhook) throw new NotFound('Webhook')

  return webhook
}
