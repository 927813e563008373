import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { findGroup, findProject } from '../find-project.ts'
import { GroupDetails } from '../groups/group-schemas.ts'
import { renderGroup } from '../groups/render-group.ts'
import { Role } from '../members/member.ts'
import { renderProject } from '../project-store.ts'
import { Accepted, ById, ProjectShape } from '../schemas.ts'
import type { DeletionWish } from './decide-deletion.ts'
import { requestGroupDeletion, restoreGroup } from './mark-group.ts'
import { requestProjectDeletion, restoreProject } from './mark-project.ts'

const DeleteBody = Type.Object({
  permanently_remove: Type.Optional(Type.Boolean({ description: 'Immediately delete something that is marked for deletion.' })),
  full_path: Type.Optional(Type.String({ description: 'Confirms `permanently_remove`.' }))
})
const accepted = { 202: Accepted }

/** With `deletion_adjourned_period`, a deletion is a mark that can be taken off. */
export const deletionRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'owner' as const, allowsReadOnly: true as const } }

  app.delete(
    '/projects/:id',
    { ...guard, schema: { summary: 'Delete a project, or mark it for deletion', params: ById, body: DeleteBody, response: accepted } },
    async ({ em, user, actor, params, body }, reply) => {
      const project = await findProject(em, user, params.id, Role.owner)

      await requestProjectDeletion(em, app.platform, project, actor, readWish(body))

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )

  app.post(
    '/projects/:id/restore',
    { ...guard, schema: { summary: 'Restore a project that is marked for deletion', params: ById, response: { 201: ProjectShape } } },
    async ({ em, user, actor, params }, reply) => {
      const project = await findProject(em, user, params.id, Role.owner)

      await restoreProject(em, config, project, actor)

      return reply.code(201).send(await renderProject(em, project.id, { baseUrl: config.baseUrl, viewer: user }))
    }
  )

  app.delete(
    '/groups/:id',
    {
      ...guard,
      schema: {
        summary: 'Delete a group with its subgroups and projects, or mark them for deletion',
        params: ById,
        body: DeleteBody,
        response: accepted
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const group = await findGroup(em, user, params.id, Role.owner)

      await requestGroupDeletion(em, app.platform, group, actor, readWish(body))

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )

  app.post(
    '/groups/:id/restore',
    { ...guard, schema: { summary: 'Restore a group that is marked for deletion', params: ById, response: { 201: GroupDetails } } },
    async ({ em, user, actor, params }, reply) => {
      const group = await findGroup(em, user, params.id, Role.owner)

      await restoreGroup(em, config, group, actor)

      return reply.code(201).send(await renderGroup(em, group.id, user, config.baseUrl))
    }
  )
}

function readWish({ permanently_remove: isPermanent, full_path: fullPath }: Static<typeof DeleteBody>): DeletionWish {
  return { isPermanent, fullPath }
}
