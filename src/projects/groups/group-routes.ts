import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { callerOf, viewerOf } from '../../identity/identify.ts'
import type { Namespace } from '../../namespaces/namespace.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'
import { createGroup } from './create-group.ts'
import { GroupBody, GroupShape, NewGroupBody, presentGroup } from './group-schemas.ts'
import { updateGroup } from './update-group.ts'

export const groupRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform

  app.post(
    '/groups',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Create a group', body: NewGroupBody, response: { 201: GroupShape } }
    },
    async (request, reply) => {
      const em = fork()
      const { parent_id: parentId, ...input } = request.body
      const group = await createGroup(em, callerOf(request), { ...input, parentId }, actorOf(request))

      return reply.code(201).send(await renderGroup(em, group, config.baseUrl))
    }
  )

  app.get(
    '/groups/:id',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: 'Get a group', params: ById, response: { 200: GroupShape } }
    },
    async request => {
      const em = fork()

      return renderGroup(em, await findGroup(em, viewerOf(request), request.params.id), config.baseUrl)
    }
  )

  app.put(
    '/groups/:id',
    {
      onRequest: app.requireUser,
      config: { role: 'owner' },
      schema: { summary: 'Update a group', params: ById, body: GroupBody, response: { 200: GroupShape } }
    },
    async request => {
      const em = fork()
      const group = await findGroup(em, callerOf(request), request.params.id, Role.owner)

      await updateGroup(em, group, request.body, actorOf(request))

      return renderGroup(em, group, config.baseUrl)
    }
  )
}

async function renderGroup(em: EntityManager, group: Namespace, baseUrl: string) {
  await em.populate(group, ['fullName'], { refresh: true })

  return presentGroup(group, baseUrl)
}
