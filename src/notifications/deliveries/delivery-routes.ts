import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import type { Subject } from '../messages/subject.ts'
import { type Attempt, listAttempts } from './attempts.ts'
import { type Delivery, deliveryStatuses } from './delivery.ts'
import { describeDeliveries, type ListedDelivery, listDeliveries } from './list-deliveries.ts'
import { findDelivery, resendDelivery } from './resend-delivery.ts'

const path = '/projects/:id/notification_deliveries'
const OneParams = Type.Object({ ...ById.properties, delivery_id: Type.Integer() })

const SubjectShape = Type.Object(
  {
    type: Type.String({ description: '`alert`, `error`, `incident`, `issue` or `project`.' }),
    id: Type.Integer(),
    reference: Nullable(Type.String({ description: 'Such as `^alert#3`.' })),
    title: Type.String(),
    status: Type.String(),
    severity: Nullable(Type.String()),
    url: Type.String()
  },
  { description: 'What it is about, as it is now.' }
)
const DeliveryShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  channel_id: Nullable(Type.Integer()),
  user_id: Nullable(Type.Integer()),
  address: Nullable(Type.String()),
  recipient: Type.String({ description: 'The name of a channel, a username with `@`, or an address.' }),
  title: Nullable(
    Type.String({ description: 'Its title; of several occurrences, that of the most severe one. Null if all were deleted.' })
  ),
  kind: Nullable(Type.String({ description: 'The trigger, such as `alert.resolved`.' })),
  subject: Nullable(SubjectShape),
  occurrences: Type.Integer({ description: 'How many occurrences it covers.' }),
  reason: Type.String({ description: 'Why it was sent, such as the name of a rule.' }),
  status: Type.Enum([...deliveryStatuses], {
    description: '`pending` waits for its time, `sending` is an attempt in progress, `retrying` waits for the next one.'
  }),
  mute_id: Nullable(Type.Integer({ description: 'The mute that held it.' })),
  attempts: Type.Integer(),
  answer: Nullable(Type.String({ description: 'The receiver’s last response.' })),
  send_at: Type.String({ description: 'When it is sent, or when the next attempt is made.' }),
  sent_at: Nullable(Type.String()),
  created_at: Type.String()
})
const DeliveryDetails = Type.Object({
  ...DeliveryShape.properties,
  log: Type.Array(
    Type.Object({
      at: Type.String(),
      status: Type.String({ description: '`sent`, `failed`, `discarded` or `retry`.' }),
      answer: Type.String({ description: 'The receiver’s response.' }),
      next_attempt_at: Nullable(Type.String())
    }),
    { description: 'The attempts to send it, latest first.' }
  )
})

/** Developers see what was sent, and maintainers send it again. Deliveries are kept for 30 days. */
export const deliveryRoutes: FastifyPluginAsyncTypebox = async app => {
  const { queues, config } = app.platform
  const forDevelopers = { config: { role: 'developer' } } as const
  const forMaintainers = { config: { role: 'maintainer' } } as const
  const present = async (em: EntityManager, delivery: Delivery) =>
    presentDelivery((await describeDeliveries(em, [delivery], config.baseUrl))[0]!)

  app.get(
    path,
    {
      ...forDevelopers,
      schema: {
        summary: 'List notification deliveries',
        params: ById,
        querystring: Type.Object({ ...paging, status: Type.Optional(Type.Enum([...deliveryStatuses])) }),
        response: { 200: Type.Array(DeliveryShape) }
      }
    },
    async (request, reply) => {
      const project = await findProject(request.em, request.user, request.params.id, Role.developer)
      const deliveries = listDeliveries(request.em, { projectId: project.id, status: request.query.status }, config.baseUrl)

      return (await offsetPage(request, reply, deliveries)).map(presentDelivery)
    }
  )

  app.get(
    `${path}/:delivery_id`,
    { ...forDevelopers, schema: { summary: 'Get a notification delivery', params: OneParams, response: { 200: DeliveryDetails } } },
    async ({ em, user, params }) => {
      const project = await findProject(em, user, params.id, Role.developer)
      const delivery = await findDelivery(em, project.id, params.delivery_id)

      return {
        ...(await present(em, delivery)),
        log: (await listAttempts(em, delivery.id)).map(presentAttempt)
      }
    }
  )

  app.post(
    `${path}/:delivery_id/resend`,
    { ...forMaintainers, schema: { summary: 'Resend a notification', params: OneParams, response: { 202: DeliveryShape } } },
    async ({ em, user, actor, params }, reply) => {
      const project = await findProject(em, user, params.id, Role.maintainer)
      const admin = { config, project, actor }
      const delivery = await resendDelivery(em, queues, admin, params.delivery_id, new Date())

      return reply.code(202).send(await present(em, delivery))
    }
  )
}

function presentDelivery({ delivery, recipient, line, kind, subject, total }: ListedDelivery) {
  return {
    id: delivery.id,
    project_id: delivery.projectId,
    channel_id: delivery.channelId ?? null,
    user_id: delivery.userId ?? null,
    address: delivery.address ?? null,
    recipient,
    title: line ?? null,
    kind: kind ?? null,
    subject: subject ? presentSubject(subject) : null,
    occurrences: total,
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

function presentSubject({ type, id, reference, title, status, severity, url }: Subject) {
  return { type, id, reference: reference ?? null, title, status, severity: severity ?? null, url }
}

function presentAttempt({ at, status, answer, next_at: nextAt }: Attempt) {
  return { at: at.toISOString(), status, answer, next_attempt_at: nextAt?.toISOString() ?? null }
}
