import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { avatarUpload, storeAvatar } from '#api/avatars.ts'
import { findGroup } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { presentProject } from '../present-project.ts'
import { ById } from '../schemas.ts'
import { type ProjectFilter, visibleProjects } from '../visibility/visible-projects.ts'
import { createGroup } from './create-group.ts'
import { GroupBody, GroupDetails, NewGroupBody } from './group-schemas.ts'
import { renderGroup } from './render-group.ts'
import { updateGroup } from './update-group.ts'

export const groupRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform

  app.post(
    '/groups',
    {
      config: { role: 'user', files: avatarUpload },
      schema: { summary: 'Create a group', body: NewGroupBody, response: { 201: GroupDetails } }
    },
    async (request, reply) => {
      const { parent_id: parentId, default_branch: defaultBranch, ...input } = request.body
      const group = await createGroup(
        request.em,
        request.user,
        { ...input, parentId, defaultBranch, avatar: await storeAvatar(request, 'group'), storage: git.storages.pick() },
        request.actor
      )

      return reply.code(201).send(await renderGroup(request.em, group.id, request.user, config.baseUrl))
    }
  )

  app.get(
    '/groups/:id',
    {
      config: { role: 'anyone' },
      schema: {
        summary: 'Get a group',
        params: ById,
        querystring: Type.Object({
          with_projects: Type.Optional(Type.Boolean({ description: 'Default true; at most 100 projects.' }))
        }),
        response: { 200: GroupDetails }
      }
    },
    async ({ em, viewer, params, query }) => {
      const group = await findGroup(em, viewer, params.id)
      const details = await renderGroup(em, group.id, viewer, config.baseUrl)

      if (query.with_projects === false) return details
      const list = async (filter: ProjectFilter) => {
        const projects = await (await visibleProjects(em, viewer, filter)).list(100, 0)

        return projects.map(project => presentProject(project, { baseUrl: config.baseUrl, viewer }))
      }

      return { ...details, projects: await list({ namespaces: [group.id] }), shared_projects: await list({ sharedWith: group.id }) }
    }
  )

  app.put(
    '/groups/:id',
    {
      config: { role: 'owner', files: avatarUpload },
      schema: { summary: 'Update a group', params: ById, body: GroupBody, response: { 200: GroupDetails } }
    },
    async request => {
      const group = await findGroup(request.em, request.user, request.params.id, Role.owner)
      const { default_branch: defaultBranch, ...changes } = request.body
      await updateGroup(request.em, group, { ...changes, defaultBranch, avatar: await storeAvatar(request, 'group') }, request.actor)

      return renderGroup(request.em, group.id, request.user, config.baseUrl)
    }
  )
}
