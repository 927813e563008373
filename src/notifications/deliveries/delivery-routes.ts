import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { callerOf } from '../../identity/identify.ts'
import { findProject } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { ById } from '../../projects/schemas.ts'
import { type Attempt, listAttempts } from '../delivery-log/attempts.ts'
import { Delivery, deliveryStatuses } from './delivery.ts'
import { countEntries } from './entry-store.ts'
import { findDelivery, resendDelivery } from './resend-delivery.ts'

const path = '/projects/:id/notification_deliveries'
const OneParams = Type.Object({ ...ById.properties, delivery_id: Type.Integer() })

const DeliveryShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  channel_id: Nullable(Type.Integer()),
  user_id: Nullable(Type.Integer()),
  address: Nullable(Type.String()),
  reason: Type.String({ description: 'Why the recipient got it, such as the name of a rule.' }),
  status: Type.String(),
  mute_id: Nullable(Type.Integer({ description: 'The mute that held it.' })),
  attempts: Type.Integer(),
  answer: Nullable(Type.String({ description: 'The last answer of the receiver.' })),
  send_at: Type.String({ description: 'When it is sent, or the next attempt is made.' }),
  sent_at: Nullable(Type.String()),
  created_at: Type.String()
})
const DeliveryDetails = Type.Object({
  ...DeliveryShape.properties,
  occurrences: Type.Integer({ description: 'How much happened that it tells.' }),
  log: Type.Array(
    Type.Object({
      at: Type.String(),
      status: Type.String({ description: '`sent`, `failed`, `discarded` or `retry`.' }),
      answer: Type.String({ description: 'What the receiver answered.' }),
      next_attempt_at: Nullable(Type.String())
    }),
    { description: 'The attempts to send it, the last one first.' }
  )
})

/** Developers see what was sent, and maintainers send it again. Deliveries are kept for 30 days. */
export const deliveryRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork, queues, config } = app.platform
  const forDevelopers = { onRequest: app.requireUser, config: { role: 'developer' } } as const
  const forMaintainers = { onRequest: app.requireUser, config: { role: 'maintainer' } } as const

  app.get(
    path,
    {
      ...forDevelopers,
      schema: {
        summary: 'List deliveries of notifications',
        params: ById,
        querystring: Type.Object({ ...paging, status: Type.Optional(Type.Enum([...deliveryStatuses])) }),
        response: { 200: Type.Array(DeliveryShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.developer)
      const where = { projectId: project.id, ...(request.query.status && { status: request.query.status }) }
      const page = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(Delivery, where, { orderBy: { id: 'desc' }, limit, offset }),
        count: () => em.fork().count(Delivery, where)
      })

      return page.map(presentDelivery)
    }
  )

  app.get(
    `${path}/:delivery_id`,
    { ...forDevelopers, schema: { summary: 'Get a delivery of a notification', params: OneParams, response: { 200: DeliveryDetails } } },
    async request => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.developer)
      const delivery = await findDelivery(em, project.id, request.params.delivery_id)

      return {
        ...presentDelivery(delivery),
        occurrences: await countEntries(em, delivery.id),
        log: (await listAttempts(em, delivery.id)).map(presentAttempt)
      }
    }
  )

  app.post(
    `${path}/:delivery_id/resend`,
    { ...forMaintainers, schema: { summary: 'Send a notification again', params: OneParams, response: { 202: DeliveryShape } } },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.maintainer)
      const admin = { config, project, actor: actorOf(request) }
      const delivery = await resendDelivery(em, queues, admin, request.params.delivery_id, new Date())

      return reply.code(202).send(presentDelivery(delivery))
    }
  )
}

function presentDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    project_id: delivery.projectId,
    channel_id: delivery.channelId ?? null,
    user_id: delivery.userId ?? null,
    address: delivery.address ?? null,
    reason: delivery.reason,
    status: delivery.status,
    mute_id: delivery.muteId ?? null,
    attempts: delivery.attempts,
    answer: delivery.answer ?? null,
    send_at: delivery.sendAt.toISOString(),
    sent_at: delivery.sentAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString()
  }
}

function presentAttempt({ at, status, answer, next_at: nextAt }: Attempt) {
  return { at: at.toISOString(), status, answer, next_attempt_at: nextAt?.toISOString() ?? null }
}
