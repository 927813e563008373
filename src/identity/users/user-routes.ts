import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { isOffsetRemoved } from '#api/deprecations/deprecations.ts'
import { isKeyset, keysetOrder, keysetPage, keysetParameters, type Order } from '#api/pagination/keyset.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { type UserFilters, userFilters } from '#identity/users/user-filter-schemas.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { keysetOrders, type Sort } from '#platform/database/list.ts'
import type { Viewer } from '../viewer.ts'
import { getUser } from './find-user.ts'
import { listUsers, selectUsers, userOrders } from './list-users.ts'
import {
  CurrentUserShape,
  presentAllToAdmin,
  presentBasics,
  presentProfile,
  presentPublicly,
  presentSelf,
  presentToAdmin,
  UserShape
} from './user-schemas.ts'

const scopes = ['api', 'read_api', 'read_user']
const page = Type.Optional(Type.Integer({ minimum: 1, description: 'Removed in version 17.0: use keyset pagination.' }))

export const userRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.get(
    '/user',
    {
      config: { role: 'user', scopes },
      schema: { summary: 'Get the current user', response: { 200: CurrentUserShape } }
    },
    async ({ em, user }) => (user.isAdmin ? presentToAdmin(em, user, config.baseUrl) : presentSelf(user, config.baseUrl))
  )

  app.get(
    '/users',
    {
      config: { role: 'anyone', scopes, deprecation: 'users-offset' },
      schema: {
        summary: 'List users',
        querystring: Type.Object({ ...paging, page, ...keysetParameters, ...userFilters }),
        response: { 200: Type.Array(UserShape) }
      }
    },
    async (request, reply) => {
      const users = await usersPage(request, reply, request.viewer)

      if (!request.viewer) return users.map(user => presentPublicly(user, config.baseUrl))
      if (!request.viewer.isAdmin) return users.map(user => presentBasics(user, config.baseUrl))

      return presentAllToAdmin(request.em, users, config.baseUrl)
    }
  )

  app.get(
    '/users/:id',
    {
      config: { role: 'anyone', scopes },
      schema: {
        summary: 'Get a user',
        params: Type.Object({ id: Type.Integer() }),
        response: { 200: UserShape }
      }
    },
    async ({ em, viewer, params }) => presentTo(em, viewer, await getUser(em, params.id), config.baseUrl)
  )
}

/** A blocked user or a private profile shows only basic attributes to other users, and nothing to anonymous viewers. */
function presentTo(em: EntityManager, viewer: Viewer | undefined, user: Viewer, baseUrl: string) {
  const isHidden = user.isPrivateProfile || !user.isActive()

  if (viewer?.isAdmin) return presentToAdmin(em, user, baseUrl)
  if (viewer?.id === user.id || !isHidden) return presentProfile(user, baseUrl)
  if (!viewer) throw new NotFound('User')

  return presentBasics(user, baseUrl)
}

/** One page of users: by keyset, or by offset while the configured version still supports it. */
async function usersPage(request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined) {
  const { order_by: given = 'id', sort = 'desc', ...filters } = request.query as UserFilters & { order_by?: string; sort?: Sort }
  const users = selectUsers(request.em, viewer, filters)

  if (isKeyset(request)) return pageByKeyset(request, reply, users, keysetOrder(request, keysetOrders(userOrders)))
  const by = given === 'created_at' ? 'id' : given

  if (!isOrder(by)) throw new InvalidInput('order_by does not have a valid value')
  if (isOffsetRemoved(request, 'users-offset')) return pageByKeyset(request, reply, users, { by, sort })

  return offsetPage(request, reply, { ...listUsers(request.em, users, { by, sort }), type: 'User' })
}

function pageByKeyset(request: FastifyRequest, reply: FastifyReply, users: ReturnType<typeof selectUsers>, order: Order<UserOrder>) {
  const { by, sort } = order

  return keysetPage(request, reply, listUsers(request.em, users, order), { pagination: 'keyset', order_by: by, sort })
}

type UserOrder = keyof typeof userOrders

function isOrder(by: string): by is UserOrder {
  return Object.hasOwn(userOrders, by)
}
