import type { FastifyRequest } from 'fastify'
import { NotFound } from '#lib/refusals.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { columnsOf, type OwnerKind } from '#projects/owner.ts'
import { Webhook } from '../webhook.ts'

/** What the webhooks of an owner are called. */
export function nounsOf(kind: OwnerKind) {
  return kind === 'system' ? { one: 'System hook', many: 'System hooks' } : { one: 'Webhook', many: 'Webhooks' }
}

/** The part of a path that names a webhook. */
export const webhookPart = ':hook(^\\d{1,15}$)'

/** The webhook that a request names. */
export async function findWebhook({ em, owner }: OwnerContext, { params }: FastifyRequest) {
  const webhook = await em.findOne(Webhook, { id: Number((params as { hook: string }).hook), ...columnsOf(owner) })

  if (!webhook) throw new NotFound('Webhook')

  return webhook
}
