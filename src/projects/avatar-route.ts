import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { avatarFiles } from '#api/avatars.ts'
import { NotFound } from '#api/problems/problems.ts'
import { imageHeaders, typeOfName } from '#lib/image-type.ts'
import { findGroup, findProject } from './find-project.ts'
import type { SourceKind } from './members/member-source.ts'
import { ById } from './schemas.ts'

/** The image itself, for clients that have a token and not the address in `avatar_url`. */
export const avatarRoute: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform
  const [name, find] = kind === 'projects' ? (['project', findProject] as const) : (['group', findGroup] as const)

  app.get(
    `/${kind}/:id/avatar`,
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: `Download the avatar of a ${name}`, params: ById }
    },
    async ({ em, viewer, params }, reply) => {
      const { avatar } = await find(em, viewer, params.id)
      const data = avatar && (await avatarFiles(config, name).read(avatar))

      if (!data) throw new NotFound('Avatar')

      return reply.headers(imageHeaders(typeOfName(avatar)!)).send(data)
    }
  )
}
