import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOffsetRemoved } from '#api/deprecations/deprecations.ts'
import { isKeyset, keysetOrder, keysetPage, type Order } from '#api/pagination/keyset.ts'
import { offsetPage } from '#api/pagination/offset.ts'
import { BadParameter } from '#api/problems/problems.ts'
import { keysetOrders, type Sort } from '#platform/database/list.ts'
import type { Viewer } from '../viewer.ts'
import { listUsers, selectUsers, type UserFilters, userOrders } from './list-users.ts'

/** One page of users: by keyset, or by offset while the configured version still supports it. */
export async function usersPage(request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined) {
  const { order_by: given = 'id', sort = 'desc', ...filters } = request.query as UserFilters & { order_by?: string; sort?: Sort }
  const users = selectUsers(request.em, viewer, filters)

  if (isKeyset(request)) return pageByKeyset(request, reply, users, keysetOrder(request, keysetOrders(userOrders)))
  const by = given === 'created_at' ? 'id' : given

  if (!isOrder(by)) throw new BadParameter('order_by does not have a valid value')
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
