import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { ById } from '#projects/schemas.ts'
import { scopesOf } from './scopes.ts'
import type { Search, SearchScope } from './search.ts'

const parameters = {
  ...paging,
  search: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  state: Type.Optional(Type.Enum(['opened', 'closed', 'all'], { description: 'Of issues.' })),
  confidential: Type.Optional(Type.Boolean({ description: 'Of issues.' })),
  order_by: Type.Optional(Type.Enum(['created_at'])),
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'For projects and issues; newest first by default.' })),
  include_archived: Type.Optional(
    Type.Boolean({ description: 'Default false: leaves out archived projects and those marked for deletion.' })
  )
}
const queryOf = (scopes: string[]) => Type.Object({ ...parameters, scope: Type.Enum(scopes) })
const response = {
  200: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'The same as in the lists of projects, issues, milestones, users or errors.'
  })
}

/** Searches everywhere, in a group and in a project. Results are those that the lists show to the caller. */
export const searchRoutes: FastifyPluginAsyncTypebox = async app => {
  const { extras } = app.platform
  const scopes = scopesOf(extras)
  const SearchQuery = queryOf(Object.keys(scopes))
  // Projects are not searched in a project.
  const ProjectSearchQuery = queryOf(Object.keys(scopes).filter(scope => scope !== 'projects'))
  const forUsers = { config: { role: 'user' as const } }
  const forGuests = { config: { role: 'guest' as const } }

  app.get(
    '/search',
    { ...forUsers, schema: { summary: 'Search everything visible to the caller', querystring: SearchQuery, response } },
    async (request, reply) => sendResults(request, reply, scopes[request.query.scope]!)
  )

  // Clients have used both paths.
  for (const path of ['search', '-/search']) {
    app.get(
      `/groups/:id/${path}`,
      { ...forGuests, schema: { summary: 'Search in a group', params: ById, querystring: SearchQuery, response } },
      async (request, reply) => {
        const group = await findGroup(request.em, request.user, request.params.id)

        return sendResults(request, reply, scopes[request.query.scope]!, { group })
      }
    )

    app.get(
      `/projects/:id/${path}`,
      { ...forGuests, schema: { summary: 'Search in a project', params: ById, querystring: ProjectSearchQuery, response } },
      async (request, reply) => {
        const project = await findProject(request.em, request.user, request.params.id)

        return sendResults(request, reply, scopes[request.query.scope]!, { project })
      }
    )
  }
}

async function sendResults(
  request: FastifyRequest,
  reply: FastifyReply,
  search: SearchScope,
  place: Pick<Search, 'group' | 'project'> = {}
) {
  const query = request.query as Static<ReturnType<typeof queryOf>>
  const results = await search({
    em: request.em,
    viewer: request.user,
    text: query.search.trim(),
    ...place,
    state: query.state === 'all' ? undefined : query.state,
    isConfidential: query.confidential,
    sort: query.sort,
    includesArchived: query.include_archived ?? false,
    baseUrl: request.server.platform.config.baseUrl
  })

  return (await offsetPage(request, reply, results)) as Record<string, unknown>[]
}
