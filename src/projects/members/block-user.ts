import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { type Actor, actorOf } from '../../audit/record-audit-event.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { Conflict, Forbidden } from '../../http/problems/problems.ts'
import { recordUserEvent } from '../../identity/record-user-event.ts'
import { Session } from '../../identity/sessions/session.ts'
import { getAccount } from '../../identity/users/find-user.ts'
import { requireAnotherAdmin } from '../../identity/users/require-another-admin.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { isLastOwner } from './require-owners.ts'

/** A blocked user is no usable owner of a group, so blocking belongs to memberships. */
export const blockRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireAdmin, config: { role: 'admin' } } as const
  const params = Type.Object({ id: Type.Integer() })

  app.post(
    '/users/:id/block',
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [409] },
      schema: { summary: 'Block a user', params, response: { 201: Nullable(Type.Literal(true)) } }
    },
    async (request, reply) => {
      const isChanged = await blockUser(fork(), actorOf(request), request.params.id)

      // GitLab answers null for a user who is blocked already.
      return reply.code(201).send(isChanged || null)
    }
  )

  app.post(
    '/users/:id/unblock',
    { ...guard, schema: { summary: 'Unblock a user', params, response: { 201: Type.Boolean() } } },
    async (request, reply) => {
      return reply.code(201).send(await unblockUser(fork(), actorOf(request), request.params.id))
    }
  )
}

/** Ends all sessions of the user; access tokens are rejected while the user is blocked. False when the user was blocked already. */
function blockUser(em: EntityManager, actor: Actor, id: number) {
  return em.transactional(async em => {
    const user = await getAccount(em, id)

    if (user.id === actor.user?.id) throw new Forbidden('The API initiating user cannot be blocked by the API')
    if (!user.isActive()) return false
    await requireAnotherAdmin(em, user, 'blocked')
    if (await isLastOwner(em, user.id)) throw new Conflict('the user is the last owner of a group')
    user.block()
    await em.nativeDelete(Session, { user: user.id })
    recordUserEvent(em, actor, user, 'user_blocked')

    return true
  })
}

/** False when the user was not blocked. */
function unblockUser(em: EntityManager, actor: Actor, id: number) {
  return em.transactional(async em => {
    const user = await getAccount(em, id)
    const isChanged = user.unblock()

    if (isChanged) recordUserEvent(em, actor, user, 'user_unblocked')

    return isChanged
  })
}
