import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { callerOf } from './identify.ts'
import type { User } from './user.ts'

const CurrentUser = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.String(),
  email: Type.String(),
  is_admin: Type.Boolean(),
  avatar_url: Type.Null(),
  web_url: Type.String(),
  created_at: Type.String()
})

export const identityRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/user',
    {
      onRequest: app.requireUser,
      config: { scopes: ['api', 'read_api', 'read_user'], role: 'user' },
      schema: { summary: 'The user behind a token', response: { 200: CurrentUser } }
    },
    async request => present(callerOf(request), app.platform.config.baseUrl)
  )
}

function present(user: User, baseUrl: string) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    email: user.email,
    is_admin: user.isAdmin,
    avatar_url: null,
    web_url: `${baseUrl}/${user.username}`,
    created_at: user.createdAt.toISOString()
  }
}
