import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { entityRows } from '#platform/database/list.ts'
import { columnsOf, guardOf, ownerOf, paramsOf } from '#projects/owner.ts'
import { createWebhook, deleteWebhook, updateWebhook } from '../change-webhook.ts'
import { openSecrets, Webhook } from '../webhook.ts'
import { bodyOf, newBodyOf, presentWebhook, shapeOf, type WebhookBody } from '../webhook-schemas.ts'
import { type OwnerRoutes, webhookOf } from './owner-routes.ts'

/** Webhooks of projects and groups, and system hooks. */
export const webhookRoutes: FastifyPluginAsyncTypebox<OwnerRoutes> = async (app, { ownerKind, path }) => {
  const { config } = app.platform
  const guard = guardOf(ownerKind)
  const name = ownerKind === 'system' ? 'system hook' : `webhook of a ${ownerKind}`
  const Shape = shapeOf(ownerKind)
  const OneParams = paramsOf(ownerKind, { hook_id: Type.Integer() })
  const present = async (webhook: Webhook) => {
    const secrets = await openSecrets(config, webhook)

    return presentWebhook(webhook, ownerKind, new Date(), { hasToken: Boolean(secrets?.token), signs: Boolean(secrets?.signingToken) })
  }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: `List each ${name}`,
        params: paramsOf(ownerKind),
        querystring: Type.Object(paging),
        response: { 200: Type.Array(Shape) }
      }
    },
    async (request, reply) => {
      const owner = columnsOf(await ownerOf(request, ownerKind))
      const page = await offsetPage(request, reply, entityRows(request.em, Webhook, owner))

      return Promise.all(page.map(present)) as never
    }
  )

  app.get(
    `${path}/:hook_id`,
    { ...guard, schema: { summary: `Get a ${name}`, params: OneParams, response: { 200: Shape } } },
    async request => present((await webhookOf(request, ownerKind)).webhook) as never
  )

  app.post(
    path,
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [422] },
      schema: { summary: `Create a ${name}`, params: paramsOf(ownerKind), body: newBodyOf(ownerKind), response: { 201: Shape } }
    },
    async (request, reply) => {
      const owner = await ownerOf(request, ownerKind)
      const webhook = await createWebhook(request.em, config, owner, bodyIn(request), request.actor)

      return reply.code(201).send((await present(webhook)) as never)
    }
  )

  app.put(
    `${path}/:hook_id`,
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [422] },
      schema: { summary: `Update a ${name}`, params: OneParams, body: bodyOf(ownerKind), response: { 200: Shape } }
    },
    async request => {
      const { owner, webhook } = await webhookOf(request, ownerKind)

      await updateWebhook(request.em, config, owner, webhook, bodyIn(request), request.actor)

      return present(webhook) as never
    }
  )

  app.delete(
    `${path}/:hook_id`,
    { ...guard, schema: { summary: `Delete a ${name}`, params: OneParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { owner, webhook } = await webhookOf(request, ownerKind)

      await deleteWebhook(request.em, owner, webhook, request.actor)

      return reply.code(204).send(null)
    }
  )
}

function bodyIn({ body }: FastifyRequest) {
  return body as WebhookBody
}
