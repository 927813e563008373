import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { avatarUpload, storeAvatar } from '#api/avatars.ts'
import { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import type { Git } from '#platform/git/git.ts'
import { createWithReadme } from '#repositories/create-with-readme.ts'
import { spamCheckOf } from '#spam/spam-check.ts'
import { createProject } from './create-project.ts'
import { checkDefaultBranch } from './default-branch.ts'
import { findProjectAndRoles, findProjectRow } from './find-project.ts'
import { Role } from './members/member.ts'
import { effectiveRole } from './members/roles.ts'
import { presentProject } from './present-project.ts'
import type { Project } from './project.ts'
import { renderProject } from './project-store.ts'
import { ById, NewProjectBody, ProjectBody, ProjectShape } from './schemas.ts'
import { presentOutboundLimit, readOutboundLimit } from './tokens/outbound-limit.ts'
import { updateProject } from './update-project.ts'

export const projectRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform

  app.post(
    '/projects',
    {
      config: { role: 'user', files: avatarUpload, additionalStatuses: [409] },
      schema: { summary: 'Create a project', body: NewProjectBody, response: { 201: ProjectShape } }
    },
    async (request, reply) => {
      const project = await createProject(
        request.em,
        request.user,
        { ...(await readNew(request, git)), spam: spamCheckOf(request) },
        request.actor
      )

      return reply.code(201).send(await renderProject(request.em, project.id, { baseUrl: config.baseUrl, viewer: request.user }))
    }
  )

  app.post(
    '/projects/user/:user_id',
    {
      config: { role: 'admin', files: avatarUpload },
      schema: {
        summary: 'Create a project for a user',
        params: Type.Object({ user_id: Type.Integer() }),
        body: NewProjectBody,
        response: { 201: ProjectShape }
      }
    },
    async (request, reply) => {
      const owner = await request.em.findOne(User, { id: request.params.user_id })

      if (!owner) throw new NotFound('User')
      const project = await createProject(request.em, owner, await readNew(request, git), request.actor)

      return reply.code(201).send(await renderProject(request.em, project.id, { baseUrl: config.baseUrl, viewer: request.user }))
    }
  )

  app.get(
    '/projects/:id',
    {
      config: { role: 'anyone' },
      schema: { summary: 'Get a project', params: ById, response: { 200: ProjectShape } }
    },
    async ({ em, viewer, params }) => {
      const { project, roles } = await findProjectRow(em, viewer, params.id)
      const shown = presentProject(project, { baseUrl: config.baseUrl, viewer, roles: viewer && roles })

      return { ...shown, ...presentOutboundLimit(config, effectiveRole(viewer, roles), project.limits_job_token_reach) }
    }
  )

  app.put(
    '/projects/:id',
    {
      config: { role: 'maintainer', files: avatarUpload, additionalStatuses: [409] },
      schema: { summary: 'Update a project', params: ById, body: ProjectBody, response: { 200: ProjectShape } }
    },
    async request => {
      const { project, roles } = await findProjectAndRoles(request.em, request.user, request.params.id, Role.maintainer)
      const settings = await readSettings(request)

      if (settings.defaultBranch && settings.defaultBranch !== project.defaultBranch) {
        await checkDefaultBranch(request.em, git, project.id, settings.defaultBranch)
      }
      const editor = { role: effectiveRole(request.user, roles), actor: request.actor, spam: spamCheckOf(request) }

      await updateProject(request.em, config, project, settings, editor)

      return {
        ...(await renderProject(request.em, project.id, { baseUrl: config.baseUrl, viewer: request.user })),
        ...presentOutboundLimit(config, effectiveRole(request.user, roles), project.limitsJobTokenReach)
      }
    }
  )
}

async function readNew(request: FastifyRequest, git: Git) {
  const body = request.body as Static<typeof NewProjectBody>

  if (!body.name && !body.path) throw new InvalidInput('name, path are missing, at least one parameter must be provided')

  const storage = git.storages.pick()
  const initialize = (project: Project) => initializeWithReadme(git, storage, project, request.user)

  return {
    ...(await readSettings(request)),
    namespaceId: body.namespace_id,
    storage,
    ...(body.initialize_with_readme && { initialize })
  }
}

function readEnabled(isEnabled: boolean | undefined) {
  return isEnabled === undefined ? undefined : isEnabled ? ('enabled' as const) : ('disabled' as const)
}

async function readSettings(request: FastifyRequest) {
  const body = request.body as Static<typeof ProjectBody>
  const topics = body.topics ?? body.tag_list
  const names = topics === undefined ? undefined : [topics].flat().flatMap(topic => topic.split(','))

  return {
    name: body.name,
    path: body.path,
    description: body.description,
    visibility: body.visibility,
    defaultBranch: body.default_branch || undefined,
    avatar: await storeAvatar(request, 'project'),
    topics: names && [...new Set(names.map(topic => topic.trim()).filter(topic => topic !== ''))],
    monitoringAccessLevel: body.monitoring_access_level ?? body.monitor_access_level,
    issuesAccessLevel: body.issues_access_level ?? readEnabled(body.issues_enabled),
    ...readOutboundLimit(request.server.platform.config, body.ci_job_token_scope_enabled)
  }
}

/** A repository whose README says the name and the description of the project. */
function initializeWithReadme(git: Git, storage: string, { name, description, defaultBranch }: Project, { name: author, email }: Viewer) {
  const readme = [`# ${name}`, description].filter(Boolean).join('\n\n')

  return createWithReadme(git, { storage, branch: defaultBranch, readme: `${readme}\n`, author: { name: author, email } })
}
