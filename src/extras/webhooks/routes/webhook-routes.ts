import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { actorOf } from '#audit/record-audit-event.ts'
import { columnsOf, guardOf, ownerOf, paramsOf } from '#projects/place.ts'
import { createWebhook, deleteWebhook, updateWebhook } from '../change-webhook.ts'
import { openSecrets, Webhook } from '../webhook.ts'
import { bodyOf, newBodyOf, presentWebhook, shapeOf, type WebhookBody } from '../webhook-schemas.ts'
import { type PlaceRoutes, webhookOf } from './places.ts'

/** Webhooks of projects and groups, and system hooks. */
export const webhookRoutes: FastifyPluginAsyncTypebox<PlaceRoutes> = async (app, { place, path }) => {
  const { config, fork } = app.platform
  const guard = guardOf(app, place)
  const name = place === 'system' ? 'system hook' : `webhook of a ${place}`
  const Shape = shapeOf(place)
  const OneParams = paramsOf(place, { hook_id: Type.Integer() })
  const present = async (webhook: Webhook) => {
    const secrets = await openSecrets(config, webhook)

    return presentWebhook(webhook, place, new Date(), { hasToken: Boolean(secrets?.token), signs: Boolean(secrets?.signingToken) })
  }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: `List each ${name}`,
        params: paramsOf(place),
        querystring: Type.Object(paging),
        response: { 200: Type.Array(Shape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const owner = columnsOf(await ownerOf(em, request, place))
      const page = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(Webhook, owner, { orderBy: { id: 'asc' }, limit, offset }),
        count: () => em.count(Webhook, owner)
      })

      return Promise.all(page.map(present)) as never
    }
  )

  app.get(
    `${path}/:hook_id`,
    { ...guard, schema: { summary: `Get a ${name}`, params: OneParams, response: { 200: Shape } } },
    async request => present((await webhookOf(fork(), request, place)).webhook) as never
  )

  app.post(
    path,
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [422] },
      schema: { summary: `Create a ${name}`, params: paramsOf(place), body: newBodyOf(place), response: { 201: Shape } }
    },
    async (request, reply) => {
      const em = fork()
      const owner = await ownerOf(em, request, place)
      const webhook = await createWebhook(em, config, owner, bodyIn(request), actorOf(request))

      return reply.code(201).send((await present(webhook)) as never)
    }
  )

  app.put(
    `${path}/:hook_id`,
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [422] },
      schema: { summary: `Update a ${name}`, params: OneParams, body: bodyOf(place), response: { 200: Shape } }
    },
    async request => {
      const em = fork()
      const { owner, webhook } = await webhookOf(em, request, place)

      await updateWebhook(em, config, owner, webhook, bodyIn(request), actorOf(request))

      return present(webhook) as never
    }
  )

  app.delete(
    `${path}/:hook_id`,
    { ...guard, schema: { summary: `Delete a ${name}`, params: OneParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const { owner, webhook } = await webhookOf(em, request, place)

      await deleteWebhook(em, owner, webhook, actorOf(request))

      return reply.code(204).send(null)
    }
  )
}

function bodyIn({ body }: FastifyRequest) {
  return body as WebhookBody
}
