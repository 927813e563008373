import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { NotFound } from '#lib/refusals.ts'
import { guardOf, paramsOf } from '#projects/owner.ts'
import { changeValue } from '../change-webhook.ts'
import { type OwnerRoutes, webhookOf } from './owner-routes.ts'

const kinds = {
  url_variables: { kind: 'variables', name: 'URL variable' },
  custom_headers: { kind: 'headers', name: 'custom header' }
} as const
const Key = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
const Value = Type.Object({ value: Type.String({ maxLength: 2048, pattern: '^[\\t\\x20-\\x7e]*$' }) })

/** Sets and removes custom headers and URL variables one by one. */
export const webhookValueRoutes: FastifyPluginAsyncTypebox<OwnerRoutes> = async (app, { ownerKind, path }) => {
  const { config } = app.platform
  const guard = guardOf(ownerKind)
  const configured = { ...guard, config: { ...guard.config, additionalStatuses: [422 as const] } }
  const params = paramsOf(ownerKind, { hook_id: Type.Integer(), key: Key })

  for (const [segment, { kind, name }] of Object.entries(kinds)) {
    const url = `${path}/:hook_id/${segment}/:key`
    const change = async (request: FastifyRequest, value?: string) => {
      const { owner, webhook } = await webhookOf(request, ownerKind)
      const { key } = request.params as unknown as { key: string }
      const keys = kind === 'headers' ? webhook.customHeaderKeys : webhook.urlVariableKeys

      if (value === undefined && !keys.includes(key)) throw new NotFound(name)
      await changeValue(request.em, config, { owner, webhook, by: request.actor }, { kind, key, value })
    }

    app.put(
      url,
      { ...configured, schema: { summary: `Set a ${name} of a webhook`, params, body: Value, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await change(request, (request.body as { value: string }).value)

        return reply.code(204).send(null)
      }
    )

    app.delete(
      url,
      { ...configured, schema: { summary: `Remove a ${name} of a webhook`, params, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await change(request)

        return reply.code(204).send(null)
      }
    )
  }
}
