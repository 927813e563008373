import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { InvalidInput, Unprocessable } from '#lib/refusals.ts'
import { guardOf, paramsOf } from '#projects/owner.ts'
import type { WebhookFlag } from '../events.ts'
import { sampleNotice, systemSample } from '../sample-notice.ts'
import { sendTest } from '../send-test.ts'
import { flagsOf } from '../webhook-schemas.ts'
import { type OwnerRoutes, webhookOf } from './owner-routes.ts'

const Message = Type.Object({ message: Type.String() })

/** Sends webhooks what happened last, at once. */
export const webhookTestRoutes: FastifyPluginAsyncTypebox<OwnerRoutes> = async (app, { ownerKind, path }) => {
  const { config, git, log } = app.platform
  const guard = guardOf(ownerKind)
  const configured = { ...guard.config, additionalStatuses: [422 as const] }

  if (ownerKind === 'system') {
    app.post(
      `${path}/:hook_id`,
      {
        ...guard,
        config: configured,
        schema: {
          summary: 'Test a system hook',
          params: paramsOf(ownerKind, { hook_id: Type.Integer() }),
          response: { 201: Type.Record(Type.String(), Type.Unknown()) }
        }
      },
      async (request, reply) => {
        const { webhook } = await webhookOf(request, ownerKind)
        const notice = systemSample()

        await sendTest(request.em, config, webhook, notice, new Date())

        return reply.code(201).send(notice.payload)
      }
    )
  }

  app.post(
    `${path}/:hook_id/test/:trigger`,
    {
      ...guard,
      config: configured,
      schema: {
        summary: 'Test a webhook with the latest data',
        params: paramsOf(ownerKind, { hook_id: Type.Integer(), trigger: Type.String() }),
        response: { 201: Message }
      }
    },
    async (request, reply) => {
      const { webhook, owner } = await webhookOf(request, ownerKind)
      const { trigger } = request.params as unknown as { trigger: string }

      if (!(flagsOf[ownerKind] as readonly string[]).includes(trigger)) throw new InvalidInput('trigger does not have a valid value')
      const context = { em: request.em, baseUrl: config.baseUrl, git, log }
      const notice = await sampleNotice(context, owner, trigger as WebhookFlag, request.user.id)

      if (!notice)
        throw new Unprocessable(`Ensure the ${ownerKind === 'system' ? 'installation' : ownerKind} has something for ${trigger}.`)
      const answer = await sendTest(request.em, config, webhook, notice, new Date())

      if (!answer.isAccepted) throw new Unprocessable(`${answer.status}: ${answer.text.slice(0, 300)}`)

      return reply.code(201).send({ message: '201 Created' })
    }
  )
}
