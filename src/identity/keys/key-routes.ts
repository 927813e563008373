import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Nullable } from '../../http/parameters/nullable.ts'
import { BadRequest, NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { getUser } from '../users/find-user.ts'
import { presentToAdmin, UserShape } from '../users/routes/user-schemas.ts'
import { SshKey, SshKeyShape } from './ssh-key.ts'

const KeyWithUser = Type.Object({ ...SshKeyShape.properties, user: Nullable(UserShape) })

/** Admins find out whose an SSH key is. */
export const keyRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireAdmin, config: { role: 'admin' as const } }

  app.get(
    '/keys',
    {
      ...guard,
      schema: {
        summary: 'Find an SSH key by its fingerprint',
        querystring: Type.Object({ fingerprint: Type.String({ description: 'SHA256 or MD5.', maxLength: 100 }) }),
        response: { 200: KeyWithUser }
      }
    },
    async request => present(fork(), byFingerprint(request.query.fingerprint))
  )

  app.get(
    '/keys/:id',
    {
      ...guard,
      schema: { summary: 'Get an SSH key with its user', params: Type.Object({ id: Type.Integer() }), response: { 200: KeyWithUser } }
    },
    async request => present(fork(), { id: request.params.id })
  )

  async function present(em: EntityManager, where: Partial<SshKey>) {
    const key = await em.findOne(SshKey, where)

    if (!key) throw new NotFound('Key')
    const user = key.userId ? await presentToAdmin(em, await getUser(em, key.userId), config.baseUrl) : null

    return { ...key.present(), user }
  }
}

/** As `ssh-keygen -l` prints it; an MD5 fingerprint may lack its prefix. */
function byFingerprint(fingerprint: string) {
  // The `+` of a query that was not encoded is a space.
  const [, sha256] = /^SHA256:([\w+/]{43})=?$/.exec(fingerprint.replaceAll(' ', '+')) ?? []
  const [, md5] = /^(?:MD5:)?((?:[0-9a-f]{2}:){15}[0-9a-f]{2})$/i.exec(fingerprint) ?? []

  if (sha256) return { fingerprintSha256: sha256 }
  if (md5) return { fingerprintMd5: md5.toLowerCase() }
  throw new BadRequest('fingerprint is invalid')
}
