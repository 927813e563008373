import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { getRow } from '../project-resource.ts'
import { discardHeld } from './discard-held.ts'
import { mutes } from './mute-resource.ts'
import { releaseHeld } from './release-held.ts'

const OneParams = Type.Object({ ...ById.properties, row_id: Type.Integer({ description: 'The ID of the notification mute.' }) })

/** Users who may mute decide what becomes of what a mute held, too. */
export const muteRoutes: FastifyPluginAsyncTypebox = async app => {
  const { queues, config } = app.platform

  app.post(
    `/projects/:id/${mutes.path}/:row_id/release`,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'Send all notifications that a mute held',
        params: OneParams,
        response: { 202: Type.Object({ released: Type.Integer({ description: 'The number of messages.' }) }) }
      }
    },
    async ({ em, user, actor, params }, reply) => {
      const project = await findProject(em, user, params.id, Role.developer)
      const mute = await getRow(em, mutes, project.id, params.row_id)
      const released = await releaseHeld(em, queues, { config, project, actor }, mute, new Date())

      return reply.code(202).send({ released })
    }
  )

  app.post(
    `/projects/:id/${mutes.path}/:row_id/discard`,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'Discard all notifications that a mute held',
        params: OneParams,
        response: { 200: Type.Object({ discarded: Type.Integer({ description: 'The number of messages.' }) }) }
      }
    },
    async ({ em, user, actor, params }) => {
      const project = await findProject(em, user, params.id, Role.developer)
      const mute = await getRow(em, mutes, project.id, params.row_id)

      return { discarded: await discardHeld(em, { config, project, actor }, mute, new Date()) }
    }
  )
}
