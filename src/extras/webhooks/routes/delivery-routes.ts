import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { entityRows } from '#platform/database/list.ts'
import { guardOf, paramsOf } from '#projects/owner.ts'
import { WebhookDelivery } from '../deliveries/webhook-delivery.ts'
import { hideCredentials } from '../hide-credentials.ts'
import { sendAgain } from '../send-test.ts'
import { DeliveryShape, WebhookEventsQuery } from '../webhook-schemas.ts'
import { type OwnerRoutes, webhookOf } from './owner-routes.ts'

const Resent = Type.Object({ response_status: Type.Union([Type.Integer(), Type.String()]) })

/** What webhooks were sent in the last days, newest first. */
export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<OwnerRoutes> = async (app, { ownerKind, path }) => {
  const { config } = app.platform
  const guard = guardOf(ownerKind)

  app.get(
    `${path}/:hook_id/events`,
    {
      ...guard,
      schema: {
        summary: 'List the deliveries of a webhook, newest first',
        params: paramsOf(ownerKind, { hook_id: Type.Integer() }),
        querystring: WebhookEventsQuery,
        response: { 200: Type.Array(DeliveryShape) }
      }
    },
    async (request, reply) => {
      const { webhook } = await webhookOf(request, ownerKind)
      const where = { webhookId: webhook.id, ...statusFilter((request.query as { status?: string }).status) }
      const page = await offsetPage(request, reply, entityRows(request.em, WebhookDelivery, where, { orderBy: { id: 'desc' } }))

      return page.map(delivery => present(delivery, webhook.url))
    }
  )

  app.post(
    `${path}/:hook_id/events/:hook_log_id/resend`,
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [422] },
      schema: {
        summary: 'Resend a request to a webhook',
        params: paramsOf(ownerKind, { hook_id: Type.Integer(), hook_log_id: Type.Integer() }),
        response: { 201: Resent }
      }
    },
    async (request, reply) => {
      const { webhook } = await webhookOf(request, ownerKind)
      const { hook_log_id: id } = request.params as unknown as { hook_log_id: number }
      const former = await request.em.findOne(WebhookDelivery, { id, webhookId: webhook.id })

      if (!former) throw new NotFound('Hook Log')
      const { status } = await sendAgain(request.em, config, webhook, former, new Date())

      return reply.code(201).send({ response_status: Number(status) || status })
    }
  )
}

const ranges: Record<string, { responseStatus: string | { $like: string } }> = {
  successful: { responseStatus: { $like: '2%' } },
  client_failure: { responseStatus: { $like: '4%' } },
  server_failure: { responseStatus: { $like: '5%' } },
  internal_error: { responseStatus: 'internal error' }
}

function statusFilter(status: string | undefined) {
  if (status === undefined || status === '') return {}
  if (/^\d{3}$/.test(status)) return { responseStatus: status }
  if (!Object.hasOwn(ranges, status)) throw new InvalidInput('status does not have a valid value')

  return ranges[status]!
}

function present(delivery: WebhookDelivery, url: string) {
  const { id, trigger, requestHeaders, payload, responseHeaders, responseBody, executionDuration, responseStatus } = delivery

  return {
    id,
    url: hideCredentials(delivery.url ?? url).url,
    trigger: trigger.split(' ', 1)[0]!,
    request_headers: requestHeaders,
    request_data: JSON.parse(payload),
    response_headers: responseHeaders,
    response_body: responseBody ?? '',
    execution_duration: executionDuration ?? 0,
    response_status: responseStatus ?? 'pending'
  }
}
