import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { NotFound } from '#lib/refusals.ts'
import { createProject } from '#projects/create-project.ts'
import { startTracking } from '../settings/start-tracking.ts'
import { findOrganization } from './organization.ts'

const Params = Type.Object({ org: Type.String() })
const Team = Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() })
const NewProject = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  slug: Type.Optional(Type.String({ maxLength: 255 })),
  platform: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Ignored: events say it.' }))
})
const SentryProject = Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String(), dateCreated: Type.String() })

/** An organization is its own and only team. */
export const teamRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform

  app.get(
    '/organizations/:org/teams',
    {
      config: { role: 'developer' },
      schema: { summary: 'List teams: the organization itself', params: Params, response: { 200: Type.Array(Team) } }
    },
    async ({ em, user, params }) => {
      const { id, path } = await findOrganization(em, user, params.org)

      return [{ id: String(id), slug: path, name: path }]
    }
  )

  app.post(
    '/teams/:org/:team/projects',
    {
      config: { role: 'developer' },
      schema: {
        summary: 'Create a private project that accepts errors',
        params: Type.Object({ ...Params.properties, team: Type.String() }),
        body: NewProject,
        response: { 201: SentryProject }
      }
    },
    async (request, reply) => {
      const { em, user, actor, params, body } = request
      const organization = await findOrganization(em, user, params.org)

      if (![organization.path, String(organization.id)].includes(params.team)) throw new NotFound('Team')
      const project = await createProject(
        em,
        user,
        {
          name: body.name,
          ...(body.slug && { path: body.slug }),
          namespaceId: organization.id,
          storage: git.storages.pick(),
          visibility: 'private'
        },
        actor
      )

      await startTracking(em, config, project, actor)

      return reply
        .code(201)
        .send({ id: String(project.id), slug: project.path, name: project.name, dateCreated: project.createdAt.toISOString() })
    }
  )
}
