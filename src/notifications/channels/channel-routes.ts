import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { getRow } from '../project-resource.ts'
import { channels } from './channel-resource.ts'
import { rotateSigningSecret } from './rotate-signing-secret.ts'
import { sendTestMessage } from './send-test-message.ts'

const OneParams = Type.Object({ ...ById.properties, row_id: Type.Integer({ description: 'The ID of the notification channel.' }) })

/** What can be done with a channel besides changing it. */
export const channelRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, mail } = app.platform
  const forMaintainers = { config: { role: 'maintainer' } } as const
  const path = `/projects/:id/${channels.path}/:row_id`

  app.post(
    `${path}/test`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Send a test to a notification channel',
        params: OneParams,
        response: { 200: Type.Object({ status: Type.String(), answer: Type.String({ description: 'The receiver’s response.' }) }) }
      }
    },
    async ({ em, user, params }) => {
      const project = await findProject(em, user, params.id, Role.maintainer)
      const channel = await getRow(em, channels, project.id, params.row_id)

      return sendTestMessage({ channel, project, user }, { config, mail }, new Date())
    }
  )

  app.post(
    `${path}/signing_secret`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Replace the signing secret of a webhook',
        params: OneParams,
        response: { 201: Type.Object({ signing_secret: Type.String({ description: 'It will not be shown again.' }) }) }
      }
    },
    async ({ em, user, actor, params }, reply) => {
      const project = await findProject(em, user, params.id, Role.maintainer)
      const secret = await rotateSigningSecret(em, { config, project, actor }, params.row_id, new Date())

      return reply.code(201).send({ signing_secret: secret })
    }
  )
}
