import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { callerOf } from '../../../identity/identify.ts'

const WhoamiShape = Type.Object({
  version: Type.String(),
  user: Type.Object({ id: Type.String(), username: Type.String(), name: Type.String(), email: Type.String() }),
  auth: Type.Object({ scopes: Type.Array(Type.String()) })
})

/** What `sentry-cli info` and `login` ask to learn whether a token is good. */
export const whoamiRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    { onRequest: app.requireUser, schema: { summary: 'Who the token belongs to', response: { 200: WhoamiShape } } },
    async request => {
      const { id, username, name, email } = callerOf(request)
      const { scopes } = request.caller!

      return {
        version: '0',
        user: { id: String(id), username, name, email: email ?? username },
        auth: { scopes: scopes === 'all' ? ['api'] : scopes }
      }
    }
  )
}
