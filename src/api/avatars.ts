import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { extensions, imageHeaders, imageType, typeOfName } from '#lib/image-type.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import { type AvatarKind, avatarFiles, avatarPath } from '#platform/avatars.ts'

const maxBytes = 200 * 1024

/** For the `config.files` of a route: above `maxBytes`, whose error message clients know. */
export const avatarUpload = { max: 1, bytes: 2 * maxBytes, field: 'avatar' }

/** In the body of a route. The image itself is a file of a multipart request. */
export const AvatarParameter = Type.Optional(
  Type.Enum([''], { description: `An image of at most ${maxBytes / 1024} KiB in a multipart request; an empty value removes it.` })
)

/**
 * Stores the uploaded avatar of a request and returns the name of its file. Null removes the avatar, undefined leaves it. Files
 * that are replaced, or whose row is not written, are orphans.
 */
export async function storeAvatar(request: FastifyRequest, kind: AvatarKind) {
  const upload = request.uploads?.find(({ field }) => field === 'avatar')

  if (!upload) return (request.body as { avatar?: string }).avatar === '' ? null : undefined
  const type = imageType(upload.data, upload.filename)

  if (upload.data.length > maxBytes) throw new ValidationFailed({ avatar: [`is too big (should be at most ${maxBytes / 1024} KiB)`] })
  if (!type) throw new ValidationFailed({ avatar: [`is not an image: its name and content must be ${extensions.join(', ')}`] })

  return avatarFiles(request.server.platform.config, kind).write(upload.data, `.${type.slice('image/'.length)}`)
}

/** Serves avatars to everyone: they are on public pages, and their names cannot be guessed. */
export async function avatarRoutes(app: FastifyInstance) {
  for (const kind of ['user', 'group', 'project'] as const) {
    app.get<{ Params: { folder: string; file: string } }>(
      `${avatarPath(kind)}/:id/:folder(^[0-9a-f]{2}$)/:file(^[0-9a-f]{32}\\.[a-z]{3,4}$)`,
      async ({ params: { folder, file } }, reply) => {
        const data = await avatarFiles(app.platform.config, kind).read(`${folder}/${file}`)

        if (!data) throw new NotFound('Avatar')

        return reply.headers({ ...imageHeaders(typeOfName(file)!), 'cache-control': 'public, max-age=86400, immutable' }).send(data)
      }
    )
  }
}
