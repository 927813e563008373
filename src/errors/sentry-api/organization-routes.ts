import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Role } from '#projects/members/member.ts'
import { findOrganization, listOrganizations } from './organization.ts'
import { findProject, listProjects } from './organization-projects.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const Params = Type.Object({ org: Type.String() })
const querystring = Type.Object(sentryPaging)

const Organization = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  dateCreated: Type.String(),
  isEarlyAdopter: Type.Boolean(),
  require2FA: Type.Boolean(),
  requireEmailVerification: Type.Boolean(),
  features: Type.Array(Type.String())
})

const OrganizationProject = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  dateCreated: Type.String()
})

export const organizationRoutes: FastifyPluginAsyncTypebox = async app => {
  const onRequest = app.requireUser
  const guard = { onRequest, config: { role: 'developer' as const } }

  app.get(
    '/organizations',
    {
      onRequest,
      config: { role: 'user' },
      schema: { summary: "List the user's organizations", querystring, response: { 200: Type.Array(Organization) } }
    },
    async (request, reply) => {
      const page = await sentryPage(request, reply, await listOrganizations(request.em, request.user))

      return page.map(({ id, name, full_path, created_at }) => ({
        id: String(id),
        slug: full_path,
        name,
        dateCreated: created_at.toISOString(),
        isEarlyAdopter: false,
        require2FA: false,
        requireEmailVerification: false,
        features: []
      }))
    }
  )

  app.get(
    '/organizations/:org/projects',
    {
      onRequest,
      config: { role: 'guest' },
      schema: { summary: "List the user's projects", params: Params, querystring, response: { 200: Type.Array(OrganizationProject) } }
    },
    async (request, reply) => {
      const organization = await findOrganization(request.em, request.user, request.params.org, Role.guest)
      const page = await sentryPage(request, reply, await listProjects(request.em, request.user, organization, Role.guest))

      return page.map(({ id, slug, name, createdAt }) => ({ id: String(id), slug, name, dateCreated: createdAt.toISOString() }))
    }
  )

  app.get(
    '/projects/:org/:project',
    {
      ...guard,
      schema: {
        summary: 'Get a project',
        params: Type.Object({ ...Params.properties, project: Type.String() }),
        response: { 200: OrganizationProject }
      }
    },
    async ({ em, user, params }) => {
      const { id, path, name, createdAt } = await findProject(em, user, params.org, params.project)

      return { id: String(id), slug: path, name, dateCreated: createdAt.toISOString() }
    }
  )

  // Clients ask for it before they send commits.
  app.get(
    '/organizations/:org/repos',
    { ...guard, schema: { summary: 'List repositories (always empty)', params: Params, response: { 200: Type.Array(Type.Object({})) } } },
    async ({ em, user, params }) => {
      await findOrganization(em, user, params.org)

      return []
    }
  )
}
