import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { findGroup, findProject } from './find-project.ts'
import { GroupDetails } from './groups/group-schemas.ts'
import { renderGroup } from './groups/render-group.ts'
import { transferGroup } from './groups/transfer-group.ts'
import { Role } from './members/member.ts'
import { renderProject } from './project-store.ts'
import { ById, ProjectShape, TransferBody } from './schemas.ts'
import { transferProject } from './transfer-project.ts'
import { archiveProject } from './update-project.ts'

/** What owners do with a whole project or group. */
export const lifecycleRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'owner' as const } }

  app.put(
    '/projects/:id/transfer',
    {
      ...guard,
      schema: { summary: 'Transfer a project to another namespace', params: ById, body: TransferBody, response: { 200: ProjectShape } }
    },
    async ({ em, user, actor, params, body }) => {
      const project = await findProject(em, user, params.id, Role.owner)

      await transferProject(em, user, project, String(body.namespace), actor)

      return renderProject(em, project.id, { baseUrl: config.baseUrl, viewer: user })
    }
  )

  app.post(
    '/groups/:id/transfer',
    {
      ...guard,
      schema: {
        summary: 'Transfer a group into another group, or make it a top-level group',
        params: ById,
        body: Type.Object({ group_id: Type.Optional(Nullable(Type.Integer({ description: 'The new parent.' }))) }),
        response: { 201: GroupDetails }
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const group = await findGroup(em, user, params.id, Role.owner)

      await transferGroup(em, user, group, body.group_id ?? undefined, actor)

      return reply.code(201).send(await renderGroup(em, group.id, user, config.baseUrl))
    }
  )

  for (const verb of ['archive', 'unarchive'] as const) {
    app.post(
      `/projects/:id/${verb}`,
      {
        ...guard,
        config: { ...guard.config, allowsReadOnly: true },
        schema: { summary: `${verb === 'archive' ? 'Archive' : 'Unarchive'} a project`, params: ById, response: { 201: ProjectShape } }
      },
      async ({ em, user, actor, params }, reply) => {
        const project = await findProject(em, user, params.id, Role.owner)

        await archiveProject(em, config, project, verb === 'archive', actor)

        return reply.code(201).send(await renderProject(em, project.id, { baseUrl: config.baseUrl, viewer: user }))
      }
    )
  }
}
