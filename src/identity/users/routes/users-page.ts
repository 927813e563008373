import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOffsetRemoved } from '../../../http/deprecations/deprecations.ts'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage, type Order } from '../../../http/pagination/keyset.ts'
import { offsetPage, perPageOf } from '../../../http/pagination/offset.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import type { Viewer } from '../../viewer.ts'
import { User } from '../user.ts'
import { findUsers, type UserFilters, usersAfter, usersWhere } from './list-users.ts'

type Asked = UserFilters & { page?: number; cursor?: string; order_by?: string; sort?: 'asc' | 'desc' }

const orders: Parameters<typeof keysetOrder>[1] = { id: ['asc', 'desc'], name: ['asc', 'desc'], username: ['asc', 'desc'] }

/** One page of users: by position, or by number as long as the version in force still has that. */
export async function usersPage(em: EntityManager, request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined) {
  const asked = request.query as Asked

  if (isKeyset(request)) return byPosition(em, request, reply, keysetOrder(request, orders), viewer)
  if (isOffsetRemoved(request, 'users-offset')) return byPosition(em, request, reply, orderOf(asked), viewer)

  return byNumber(em, request, reply, viewer)
}

async function byPosition(em: EntityManager, request: FastifyRequest, reply: FastifyReply, order: Order, viewer: Viewer | undefined) {
  const { cursor, ...asked } = request.query as Asked
  const { by, sort } = order
  const position = by === 'id' ? decodeCursor<[number]>(cursor, 'id') : decodeCursor<[string, number]>(cursor, 'text', 'id')
  const where = { $and: [usersWhere(viewer, asked), usersAfter(order, position)] }
  const users = await findUsers(em, where, { [by]: sort, id: sort }, perPageOf(request.query) + 1)

  return keysetPage(request, reply, users, last => ({
    pagination: 'keyset',
    order_by: by,
    sort,
    cursor: encodeCursor(by === 'id' ? [last.id] : [last[by as 'name' | 'username'], last.id])
  }))
}

async function byNumber(em: EntityManager, request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined) {
  const asked = request.query as Asked
  const where = usersWhere(viewer, asked)
  const { by, sort } = orderOf(asked)

  return offsetPage(request, reply, {
    list: (limit, offset) => findUsers(em, where, { [by]: sort, id: sort }, limit, offset),
    count: () => em.count(User, where),
    type: 'User'
  })
}

/** Where nothing else is asked for, the newest come first. */
function orderOf({ order_by: by = 'id', sort = 'desc' }: Asked): Order {
  return { by: by in orders ? by : 'id', sort }
}
