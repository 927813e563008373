import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Nullable } from '#api/parameters/nullable.ts'
import { actorOf } from '#audit/record-audit-event.ts'
import { callerOf } from '#identity/identify.ts'
import { findGroup, findProject } from './find-project.ts'
import { GroupDetails } from './groups/group-schemas.ts'
import { renderGroup } from './groups/render-group.ts'
import { transferGroup } from './groups/transfer-group.ts'
import { renderProject } from './load-project.ts'
import { Role } from './members/member.ts'
import { ById, ProjectShape, TransferBody } from './schemas.ts'
import { transferProject } from './transfer-project.ts'
import { archiveProject } from './update-project.ts'

/** What owners do with a whole project or group. */
export const lifecycleRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const { baseUrl } = config
  const guard = { onRequest: app.requireUser, config: { role: 'owner' as const } }

  app.put(
    '/projects/:id/transfer',
    {
      ...guard,
      schema: { summary: 'Transfer a project to another namespace', params: ById, body: TransferBody, response: { 200: ProjectShape } }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const project = await findProject(em, viewer, request.params.id, Role.owner)

      await transferProject(em, viewer, project, String(request.body.namespace), actorOf(request))

      return renderProject(em, project.id, { baseUrl, viewer })
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
    async (request, reply) => {
      const em = fork()
      const viewer = callerOf(request)
      const group = await findGroup(em, viewer, request.params.id, Role.owner)

      await transferGroup(em, viewer, group, request.body.group_id ?? undefined, actorOf(request))

      return reply.code(201).send(await renderGroup(em, group.id, viewer, baseUrl))
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
      async (request, reply) => {
        const em = fork()
        const viewer = callerOf(request)
        const project = await findProject(em, viewer, request.params.id, Role.owner)

        await archiveProject(em, config, project, verb === 'archive', actorOf(request))

        return reply.code(201).send(await renderProject(em, project.id, { baseUrl, viewer }))
      }
    )
  }
}
