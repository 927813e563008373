import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findOwnLabel } from '#projects/labels/change-labels.ts'
import { LabelParams, LabelShape } from '#projects/labels/label-schemas.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource, type SourceKind } from '#projects/members/member-source.ts'
import { showLabel } from './label-routes.ts'
import { promoteLabel } from './promote-label.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

export const labelPromotion: FastifyPluginAsyncTypebox = async app => {
  app.put(
    '/projects/:id/labels/:label_id/promote',
    {
      config: { role: 'reporter' },
      schema: { summary: 'Promote a project label to a group label', params: LabelParams, response: { 200: LabelShape } }
    },
    async ({ em, user, params }) => {
      const source = await findMemberSource(em, user, 'projects', params.id, Role.reporter)
      const label = await findOwnLabel(em, source, params.label_id)
      const { group, promoted } = await promoteLabel(em, source, user, label)

      return showLabel(em, group, user, String(promoted.id))
    }
  )
}

export const labelSubscriptions: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  for (const [verb, change] of [
    ['subscribe', subscribe],
    ['unsubscribe', unsubscribe]
  ] as const) {
    app.post(
      `/${kind}/:id/labels/:label_id/${verb}`,
      {
        config: { role: 'guest', additionalStatuses: [304] },
        schema: {
          summary: `${verb === 'subscribe' ? 'Subscribe to' : 'Unsubscribe from'} a label`,
          params: LabelParams,
          response: { 201: LabelShape }
        }
      },
      async ({ em, user, params }, reply) => {
        const source = await findMemberSource(em, user, kind, params.id)
        const { id } = await showLabel(em, source, user, params.label_id)

        if (!(await change(em, id, user.id))) return reply.code(304 as never).send(undefined as never)

        return reply.code(201).send(await showLabel(em, source, user, String(id)))
      }
    )
  }
}
