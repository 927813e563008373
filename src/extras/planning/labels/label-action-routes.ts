import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '#audit/record-audit-event.ts'
import { callerOf } from '#identity/identify.ts'
import { findOwnLabel } from '#projects/labels/change-labels.ts'
import { LabelParams, LabelShape } from '#projects/labels/label-schemas.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource, type SourceKind } from '#projects/members/member-source.ts'
import { showLabel } from './label-routes.ts'
import { promoteLabel } from './promote-label.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

export const labelPromotion: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.put(
    '/projects/:id/labels/:label_id/promote',
    {
      onRequest: app.requireUser,
      config: { role: 'reporter' },
      schema: { summary: "Make a project's label one of its group", params: LabelParams, response: { 200: LabelShape } }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const source = await findMemberSource(em, viewer, 'projects', request.params.id, Role.reporter)
      const label = await findOwnLabel(em, source, request.params.label_id)
      const { group, promoted } = await promoteLabel(em, source, viewer, label, actorOf(request))

      return showLabel(em, group, viewer, String(promoted.id))
    }
  )
}

export const labelSubscriptions: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { fork } = app.platform

  for (const [verb, change] of [
    ['subscribe', subscribe],
    ['unsubscribe', unsubscribe]
  ] as const) {
    app.post(
      `/${kind}/:id/labels/:label_id/${verb}`,
      {
        onRequest: app.requireUser,
        config: { role: 'guest', additionalStatuses: [304] },
        schema: {
          summary: `${verb === 'subscribe' ? 'Subscribe to' : 'Unsubscribe from'} a label`,
          params: LabelParams,
          response: { 201: LabelShape }
        }
      },
      async (request, reply) => {
        const em = fork()
        const viewer = callerOf(request)
        const source = await findMemberSource(em, viewer, kind, request.params.id)
        const { id } = await showLabel(em, source, viewer, request.params.label_id)

        if (!(await change(em, id, viewer.id))) return reply.code(304 as never).send(undefined as never)

        return reply.code(201).send(await showLabel(em, source, viewer, String(id)))
      }
    )
  }
}
