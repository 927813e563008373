import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { approveUser, rejectUser } from './decide-sign-up.ts'

const UserId = Type.Object({ id: Type.Integer() })
const Success = Type.Object({ message: Type.String() })

/** Users who have signed up wait here, where admins approve them. */
export const signUpRoutes: FastifyPluginAsyncTypebox = async app => {
  const config = { role: 'admin' as const, additionalStatuses: [409 as const] }

  app.post(
    '/users/:id/approve',
    { config, schema: { summary: 'Approve a user who has signed up', params: UserId, response: { 201: Success } } },
    async ({ em, actor, params }, reply) => {
      await approveUser(em, actor, params.id)

      return reply.code(201).send({ message: 'Success' })
    }
  )

  app.post(
    '/users/:id/reject',
    { config, schema: { summary: 'Reject and delete a user who has signed up', params: UserId, response: { 200: Success } } },
    async ({ em, actor, params }) => {
      await rejectUser(em, app.platform, actor, params.id)

      return { message: 'Success' }
    }
  )
}
