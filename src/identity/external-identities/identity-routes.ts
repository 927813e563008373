import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { removeExternalIdentity } from './set-external-identity.ts'

/** Identities are added with `provider` and `extern_uid` of a user. */
export const externalIdentityRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.delete(
    '/users/:user_id/identities/:provider',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin' },
      schema: {
        summary: 'Delete the identity of a user at a provider',
        params: Type.Object({ user_id: Type.Integer(), provider: Type.String() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const { user_id: userId, provider } = request.params

      await removeExternalIdentity(fork(), actorOf(request), userId, provider)

      return reply.code(204).send(null)
    }
  )
}
