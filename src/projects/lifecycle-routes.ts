import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../audit/record-audit-event.ts'
import { Nullable } from '../http/parameters/nullable.ts'
import { callerOf } from '../identity/identify.ts'
import { deleteGroup, deleteProject } from './deletion/delete-project.ts'
import { findGroup, findProject } from './find-project.ts'
import { GroupDetails } from './groups/group-schemas.ts'
import { renderGroup } from './groups/render-group.ts'
import { transferGroup } from './groups/transfer-group.ts'
import { renderProject } from './load-project.ts'
import { Role } from './members/member.ts'
import { Accepted, ById, checkFullPath, DeleteBody, ProjectShape, TransferBody } from './schemas.ts'
import { transferProject } from './transfer-project.ts'
import { archiveProject } from './update-project.ts'

const accepted = { message: '202 Accepted' }

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
        config: { ...guard.config, allowsArchived: true },
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

  app.delete(
    '/projects/:id',
    {
      ...guard,
      config: { ...guard.config, allowsArchived: true },
      schema: { summary: 'Delete a project', params: ById, body: DeleteBody, response: { 202: Accepted } }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.owner)

      checkFullPath(request.body, project.fullPath, 'project')
      await deleteProject(em, app.platform, project, actorOf(request))

      return reply.code(202).send(accepted)
    }
  )

  app.delete(
    '/groups/:id',
    {
      ...guard,
      schema: { summary: 'Delete a group with its subgroups and projects', params: ById, body: DeleteBody, response: { 202: Accepted } }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroup(em, callerOf(request), request.params.id, Role.owner)

      checkFullPath(request.body, group.fullPath, 'group')
      await deleteGroup(em, app.platform, group, actorOf(request))

      return reply.code(202).send(accepted)
    }
  )
}
