import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { MissingParameters, NotFound } from '#lib/refusals.ts'
import { entityRows } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { type Sort, sorts } from '../groups/group-filter.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { changeSearch, createSearch, deleteSearch, searchesOf } from './save-search.ts'
import { SavedSearch } from './saved-search.ts'

const SearchParams = Type.Object({ ...ProjectId.properties, saved_search_id: Type.Integer() })

export const NewSearch = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 50 }),
  query: Type.String({ maxLength: 500, description: 'In the syntax of the errors page, such as `is:unresolved assigned:me`.' }),
  sort: Type.Optional(Type.Enum(Object.keys(sorts) as Sort[], { description: '`last_seen` by default.' })),
  shared: Type.Optional(Type.Boolean({ description: 'For all developers of the project; false by default.' }))
})
const SearchChanges = Type.Partial(NewSearch)

const SearchShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  query: Type.String(),
  sort: Type.String(),
  shared: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String()
})

/** A user's saved searches of a project, and those that its developers share. */
export const savedSearchRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List your own and shared saved searches',
        params: ProjectId,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(SearchShape) }
      }
    },
    async (request, reply) => {
      const where = searchesOf(await ownerOf(request, request.params.id))
      const searches = await offsetPage(request, reply, entityRows(request.em, SavedSearch, where, { orderBy: { name: 'asc', id: 'asc' } }))

      return searches.map(presentSearch)
    }
  )

  app.post(
    path,
    { ...guard, schema: { summary: 'Save a search', params: ProjectId, body: NewSearch, response: { 201: SearchShape } } },
    async (request, reply) => {
      const { name, query, sort = 'last_seen', shared: isShared = false } = request.body
      const owner = await ownerOf(request, request.params.id)

      return reply
        .code(201)
        .send(presentSearch(await createSearch(request.em, owner, { name: name.trim(), query: query.trim(), sort, isShared })))
    }
  )

  app.get(
    `${path}/:saved_search_id`,
    { ...guard, schema: { summary: 'Get a saved search', params: SearchParams, response: { 200: SearchShape } } },
    async request => presentSearch((await findSearch(request, request.params)).search)
  )

  app.put(
    `${path}/:saved_search_id`,
    { ...guard, schema: { summary: 'Change a saved search', params: SearchParams, body: SearchChanges, response: { 200: SearchShape } } },
    async request => {
      const { owner, search } = await findSearch(request, request.params)
      const { name, query, sort, shared: isShared } = request.body
      const changes = { name: name?.trim(), query: query?.trim(), sort, isShared }

      if (Object.values(changes).every(value => value === undefined)) throw new MissingParameters('name', 'query', 'sort', 'shared')
      await changeSearch(request.em, owner, search, changes)

      return presentSearch(search)
    }
  )

  app.delete(
    `${path}/:saved_search_id`,
    { ...guard, schema: { summary: 'Delete a saved search', params: SearchParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { search } = await findSearch(request, request.params)

      await deleteSearch(request.em, search)

      return reply.code(204).send(null)
    }
  )
}

async function ownerOf(request: FastifyRequest, projectId: string) {
  const viewer = request.user
  const project = await findMonitoredProject(request.em, viewer, projectId, Role.developer)

  return { projectId: project.id, viewer }
}

async function findSearch(request: FastifyRequest, { id, saved_search_id }: { id: string; saved_search_id: number }) {
  const owner = await ownerOf(request, id)
  const search = await request.em.findOne(SavedSearch, { id: saved_search_id, ...searchesOf(owner) })

  if (!search) throw new NotFound('Saved Search')

  return { owner, search }
}

function presentSearch({ id, name, query, sort, userId, createdAt, updatedAt }: SavedSearch) {
  return {
    id,
    name,
    query,
    sort,
    shared: userId === null || userId === undefined,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString()
  }
}
