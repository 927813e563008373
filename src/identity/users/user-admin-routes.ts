import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { avatarUpload, storeAvatar } from '#api/avatars.ts'
import { changeUser } from './change-user.ts'
import { registerUser } from './register-user.ts'
import { userAttributes } from './user-attribute-schemas.ts'
import { presentToAdmin, UserShape } from './user-schemas.ts'

const UserId = Type.Object({ id: Type.Integer() })
export const NewUserBody = Type.Object({
  ...userAttributes,
  email: Type.String({ maxLength: 255 }),
  username: Type.String({ minLength: 1, maxLength: 255 }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  force_random_password: Type.Optional(Type.Boolean()),
  reset_password: Type.Optional(Type.Boolean()),
  skip_confirmation: Type.Optional(Type.Boolean({ description: 'Treats the address as confirmed, as is the case without a mail server.' }))
})

const UserBody = Type.Object({
  ...userAttributes,
  skip_reconfirmation: Type.Optional(Type.Boolean({ description: 'Treats a new address as confirmed.' }))
})

export const userAdminRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const adminGuard = {
    config: { role: 'admin' as const, additionalStatuses: [409 as const], files: avatarUpload }
  }

  app.post(
    '/users',
    { ...adminGuard, schema: { summary: 'Create a user', body: NewUserBody, response: { 201: UserShape } } },
    async (request, reply) => {
      const avatar = await storeAvatar(request, 'user')
      const user = await registerUser(request.em, app.platform, request.actor, { ...request.body, avatar })

      return reply.code(201).send(await presentToAdmin(request.em, user, config.baseUrl))
    }
  )

  app.put(
    '/users/:id',
    {
      ...adminGuard,
      schema: { summary: 'Update a user', params: UserId, body: UserBody, response: { 200: UserShape } }
    },
    async request => {
      const avatar = await storeAvatar(request, 'user')
      const user = await changeUser(request.em, app.platform, request.actor, request.params.id, { ...request.body, avatar })

      return presentToAdmin(request.em, user, config.baseUrl)
    }
  )
}
