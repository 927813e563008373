import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOffsetRemoved } from '#api/deprecations/deprecations.ts'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage, type Order } from '#api/pagination/keyset.ts'
import { offsetPage, perPageOf } from '#api/pagination/offset.ts'
import { BadParameter } from '#api/problems/problems.ts'
import type { Viewer } from '../viewer.ts'
import { countUsers, listUsers, selectUsers, type UserFilters, usersAfter } from './list-users.ts'

type Query = UserFilters & { page?: number; cursor?: string; order_by?: string; sort?: 'asc' | 'desc' }

const orders: Parameters<typeof keysetOrder>[1] = { id: ['asc', 'desc'], name: ['asc', 'desc'], username: ['asc', 'desc'] }

/** One page of users: by keyset, or by offset while the configured version still supports it. */
export async function usersPage(request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined) {
  const query = request.query as Query
  const users = selectUsers(request.em, viewer, query)

  if (isKeyset(request)) return pageByKeyset(request, reply, users, keysetOrder(request, orders))
  const order = orderOf(query)

  if (isOffsetRemoved(request, 'users-offset')) return pageByKeyset(request, reply, users, order)

  return offsetPage(request, reply, {
    list: (limit, offset) => listUsers(users, order, limit, offset),
    count: () => countUsers(users),
    type: 'User'
  })
}

async function pageByKeyset(request: FastifyRequest, reply: FastifyReply, users: ReturnType<typeof selectUsers>, order: Order) {
  const { cursor } = request.query as Query
  const { by, sort } = order
  const position = by === 'id' ? decodeCursor<[number]>(cursor, 'id') : decodeCursor<[string, number]>(cursor, 'text', 'id')
  const rows = await listUsers(usersAfter(users, order, position), order, perPageOf(request.query) + 1)

  return keysetPage(request, reply, rows, last => ({
    pagination: 'keyset',
    order_by: by,
    sort,
    cursor: encodeCursor(by === 'id' ? [last.id] : [last[by as 'name' | 'username'], last.id])
  }))
}

/** Newest first by default; ids ascend in the order of creation. */
function orderOf({ order_by: given = 'id', sort = 'desc' }: Query): Order {
  const by = given === 'created_at' ? 'id' : given

  if (!Object.hasOwn(orders, by)) throw new BadParameter('order_by does not have a valid value')

  return { by, sort }
}
