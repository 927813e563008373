import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { addRow, getRow, removeRow, type UserResource, type UserRow } from './user-resource.ts'
import { resolveUser } from './users/find-user.ts'

const scopes = ['api', 'read_api', 'read_user']

/** Who has the rows: the caller, or a user whom the address names. */
interface Owner {
  path: string
  params: Record<string, Type.TSchema>
  of: string
  read: Access
  write: Access
  isAdmin: boolean
  find: (em: EntityManager, request: FastifyRequest) => Promise<{ id: number }>
}

interface Access {
  config: { role: 'user' | 'admin' | 'anyone'; scopes?: string[] }
}

/** Users list, get, add and delete their own rows, admins those of all users. */
export function userResourceRoutes<Row extends UserRow, Body extends Type.TObject>(
  resource: UserResource<Row, Body>
): FastifyPluginAsyncTypebox {
  return async app => {
    for (const owner of ownersOf(resource.isPublic)) registerRoutes(app, resource, owner)
  }
}

function ownersOf(isPublic: boolean): Owner[] {
  const admin: Access = { config: { role: 'admin' } }
  const user: Access = { config: { role: 'user' } }

  return [
    {
      path: '/user',
      params: {},
      of: 'your',
      read: { ...user, config: { ...user.config, scopes } },
      write: user,
      isAdmin: false,
      find: async (_em, request) => request.user
    },
    {
      path: '/users/:user_id',
      params: { user_id: Type.String({ description: 'ID or username.' }) },
      of: "a user's",
      read: isPublic ? { config: { role: 'anyone', scopes } } : admin,
      write: admin,
      isAdmin: true,
      find: findVisibleUser
    }
  ]
}

/** Private profiles and users who are not active are hidden from anonymous viewers. */
async function findVisibleUser(em: EntityManager, request: FastifyRequest) {
  const user = await resolveUser(em, (request.params as { user_id: string }).user_id)

  if (!request.viewer && (user.isPrivateProfile || !user.isActive())) throw new NotFound('User')

  return user
}

function registerRoutes<Row extends UserRow, Body extends Type.TObject>(
  app: FastifyInstance,
  resource: UserResource<Row, Body>,
  owner: Owner
) {
  const { entity, shape, name } = resource
  const path = `${owner.path}/${resource.path}`
  const params = Type.Object(owner.params)
  const byId = Type.Object({ ...owner.params, id: Type.Integer() })
  const idOf = (request: FastifyRequest) => (request.params as { id: number }).id

  app.get(
    path,
    {
      ...owner.read,
      schema: { summary: `List ${owner.of} ${name}s`, params, querystring: Type.Object(paging), response: { 200: Type.Array(shape) } }
    },
    async (request, reply) => {
      const where = { userId: (await owner.find(request.em, request)).id } as never
      const page = await offsetPage(request, reply, entityRows(request.em, entity, where))

      return page.map(row => (row as UserRow).present())
    }
  )

  app.get(
    `${path}/:id`,
    { ...owner.read, schema: { summary: `Get ${owner.of} ${name}`, params: byId, response: { 200: shape } } },
    async request => (await getRow(request.em, resource, (await owner.find(request.em, request)).id, idOf(request))).present()
  )

  app.post(
    path,
    { ...owner.write, schema: { summary: `Add to ${owner.of} ${name}s`, params, body: resource.body, response: { 201: shape } } },
    async (request, reply) => {
      const { id } = await owner.find(request.em, request)
      const at = new Date()
      const attributes = resource.read(request.body as Type.Static<Body>, { at, isAdmin: owner.isAdmin })
      const row = await addRow(request.em, request.actor, resource, id, attributes)

      await resource.added?.(app.platform, row, at)

      return reply.code(201).send(row.present())
    }
  )

  app.delete(
    `${path}/:id`,
    { ...owner.write, schema: { summary: `Delete ${owner.of} ${name}`, params: byId, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await removeRow(request.em, request.actor, resource, (await owner.find(request.em, request)).id, idOf(request))

      return reply.code(204).send(null)
    }
  )
}
