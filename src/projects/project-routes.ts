import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { actorOf } from '../audit/record-audit-event.ts'
import { checkUnmodified } from '../http/conditional-requests.ts'
import { BadParameter, NotFound } from '../http/problems/problems.ts'
import { callerOf, viewerOf } from '../identity/identify.ts'
import { User } from '../identity/users/user.ts'
import { invalidateCache } from '../platform/cache/invalidate-cache.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { createProject } from './create-project.ts'
import { findProject, findShownProject } from './find-project.ts'
import { Role } from './members/member.ts'
import { presentProject, type View } from './present-project.ts'
import type { Project } from './project.ts'
import { readShown } from './project-row.ts'
import { ById, NewProjectBody, ProjectBody, ProjectShape } from './schemas.ts'
import { updateProject } from './update-project.ts'

/** A project, from being made to being renamed. */
export const projectRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const { baseUrl } = config

  app.post(
    '/projects',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Create a project', body: NewProjectBody, response: { 201: ProjectShape } }
    },
    async (request, reply) => {
      const em = fork()
      const viewer = callerOf(request)
      const project = await createProject(em, viewer, readNew(request.body), actorOf(request))

      return reply.code(201).send(await show(em, project, { baseUrl, viewer }))
    }
  )

  app.post(
    '/projects/user/:user_id',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin' },
      schema: {
        summary: 'Create a project for somebody',
        params: Type.Object({ user_id: Type.Integer() }),
        body: NewProjectBody,
        response: { 201: ProjectShape }
      }
    },
    async (request, reply) => {
      const em = fork()
      const owner = await em.findOne(User, { id: request.params.user_id })

      if (!owner) throw new NotFound('User')
      const project = await createProject(em, owner, readNew(request.body), actorOf(request))

      return reply.code(201).send(await show(em, project, { baseUrl, viewer: callerOf(request) }))
    }
  )

  app.get(
    '/projects/:id',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: 'A project', params: ById, response: { 200: ProjectShape } }
    },
    async request => {
      const em = fork()
      const viewer = viewerOf(request)
      const { project, roles } = await findShownProject(em, viewer, request.params.id)

      return presentProject(project, { baseUrl, viewer, roles: viewer && roles })
    }
  )

  app.put(
    '/projects/:id',
    {
      onRequest: app.requireUser,
      config: { role: 'maintainer' },
      schema: { summary: 'Change a project', params: ById, body: ProjectBody, response: { 200: ProjectShape } }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const project = await findProject(em, viewer, request.params.id, Role.maintainer)

      if (isOwnersBusiness(project, request.body)) await findProject(em, viewer, String(project.id), Role.owner)
      checkUnmodified(request, project.updatedAt)
      await em.populate(project, ['namespace'])
      const { monitoringAccessLevel: before } = project

      await updateProject(em, project, readSettings(request.body), actorOf(request))
      // Without monitoring, nothing comes in with the project's keys.
      if (project.monitoringAccessLevel !== before) await invalidateCache(em, config, 'client-key')

      return show(em, project, { baseUrl, viewer })
    }
  )
}

/** Where it is found, and by whom. */
function isOwnersBusiness(project: Project, { path = project.path, visibility = project.visibility }: Static<typeof ProjectBody>) {
  return path !== project.path || visibility !== project.visibility
}

function readNew(body: Static<typeof NewProjectBody>) {
  if (!body.name && !body.path) throw new BadParameter('name, path are missing, at least one parameter must be provided')

  return { ...readSettings(body), namespaceId: body.namespace_id }
}

function readSettings(body: Static<typeof ProjectBody>) {
  const topics = body.topics ?? body.tag_list
  const named = topics === undefined ? undefined : [topics].flat().flatMap(topic => topic.split(','))

  return {
    name: body.name,
    path: body.path,
    description: body.description,
    visibility: body.visibility,
    defaultBranch: body.default_branch,
    topics: named && [...new Set(named.map(topic => topic.trim()).filter(topic => topic !== ''))],
    monitoringAccessLevel: body.monitoring_access_level ?? body.monitor_access_level
  }
}

export async function show(em: EntityManager, project: Project, view: View) {
  return presentProject(await readShown(em, project.id), view)
}
