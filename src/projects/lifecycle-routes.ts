import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../audit/record-audit-event.ts'
import { checkUnmodified } from '../http/conditional-requests.ts'
import { BadRequest, Forbidden, NotFound } from '../http/problems/problems.ts'
import { callerOf } from '../identity/identify.ts'
import type { Viewer } from '../identity/viewer.ts'
import { Namespace } from '../namespaces/namespace.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { deleteGroup, deleteProject } from './deletion/delete-project.ts'
import { findGroup, findProject } from './find-project.ts'
import { Role } from './members/member.ts'
import { roleInGroup } from './members/roles.ts'
import { show } from './project-routes.ts'
import { Accepted, ById, ProjectShape, RemoveBody, TransferBody } from './schemas.ts'
import { archiveProject, transferProject } from './update-project.ts'

const accepted = { message: '202 Accepted' }

/** What owners do with a project or a group as a whole. */
export const lifecycleRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const { baseUrl } = config

  app.put(
    '/projects/:id/transfer',
    {
      onRequest: app.requireUser,
      config: { role: 'owner' },
      schema: { summary: 'Take a project into another namespace', params: ById, body: TransferBody, response: { 200: ProjectShape } }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const project = await findProject(em, viewer, request.params.id, Role.owner)
      const target = await findTarget(em, viewer, String(request.body.namespace))

      await transferProject(em, project, target, actorOf(request))

      return show(em, project, { baseUrl, viewer })
    }
  )

  for (const verb of ['archive', 'unarchive'] as const) {
    app.post(
      `/projects/:id/${verb}`,
      {
        onRequest: app.requireUser,
        config: { role: 'owner' },
        schema: { summary: `${verb === 'archive' ? 'Archive' : 'Unarchive'} a project`, params: ById, response: { 201: ProjectShape } }
      },
      async (request, reply) => {
        const em = fork()
        const viewer = callerOf(request)
        const project = await findProject(em, viewer, request.params.id, Role.owner)

        await archiveProject(em, project, verb === 'archive', actorOf(request))

        return reply.code(201).send(await show(em, project, { baseUrl, viewer }))
      }
    )
  }

  app.delete(
    '/projects/:id',
    {
      onRequest: app.requireUser,
      config: { role: 'owner' },
      schema: { summary: 'Remove a project', params: ById, body: RemoveBody, response: { 202: Accepted } }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findProject(em, callerOf(request), request.params.id, Role.owner)

      checkFullPath(request.body, project.fullPath, 'project')
      checkUnmodified(request, project.updatedAt)
      await deleteProject(em, app.platform, project, actorOf(request))

      return reply.code(202).send(accepted)
    }
  )

  app.delete(
    '/groups/:id',
    {
      onRequest: app.requireUser,
      config: { role: 'owner' },
      schema: { summary: 'Remove a group and all that is in it', params: ById, body: RemoveBody, response: { 202: Accepted } }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroup(em, callerOf(request), request.params.id, Role.owner)

      checkFullPath(request.body, group.fullPath, 'group')
      checkUnmodified(request, group.updatedAt)
      await deleteGroup(em, app.platform, group, actorOf(request))

      return reply.code(202).send(accepted)
    }
  )
}

/** One's own space, or a group that one maintains. */
async function findTarget(em: EntityManager, viewer: Viewer, idOrPath: string) {
  const target = await em.findOne(Namespace, /^\d{1,15}$/.test(idOrPath) ? { id: Number(idOrPath) } : { fullPath: idOrPath })

  if (!target) throw new NotFound('Namespace')
  if (viewer.isAdmin || target.ownerId === viewer.id) return target
  if (target.kind === 'user') throw new NotFound('Namespace')
  await findGroup(em, viewer, String(target.id)).catch(() => {
    throw new NotFound('Namespace')
  })
  if ((await roleInGroup(em, viewer, target.id)) < Role.maintainer) throw new Forbidden()

  return target
}

function checkFullPath(given: { permanently_remove?: boolean; full_path?: string }, fullPath: string, type: string) {
  if (given.permanently_remove && given.full_path !== fullPath) {
    throw new BadRequest(`\`full_path\` is incorrect. You must enter the complete path for the ${type}`)
  }
}
