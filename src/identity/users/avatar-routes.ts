import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { AvatarParameter, avatarUpload, storeAvatar } from '#api/avatars.ts'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { avatarUrl } from '#platform/avatars.ts'
import { updateUser } from './update-user.ts'

const AvatarShape = Type.Object({ avatar_url: Nullable(Type.String()) })

/** Users change their own avatar; admins change that of others with the user. */
export const avatarRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.put(
    '/user/avatar',
    {
      config: { role: 'user', files: avatarUpload },
      schema: {
        summary: 'Set your avatar',
        body: Type.Object({ avatar: AvatarParameter }),
        response: { 200: AvatarShape }
      }
    },
    async request => {
      const avatar = await storeAvatar(request, 'user')

      if (avatar === undefined) throw new InvalidInput('avatar is missing: send it as multipart/form-data')
      const user = await updateUser(request.em, request.actor, request.user.id, { avatar })

      return { avatar_url: avatarUrl('user', user, config.baseUrl) }
    }
  )
}
