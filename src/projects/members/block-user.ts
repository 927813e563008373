import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { type Actor, actorOf } from '../../audit/record-audit-event.ts'
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
  const schema = { params: Type.Object({ id: Type.Integer() }), response: { 201: Type.Boolean() } }

  app.post('/users/:id/block', { ...guard, schema: { summary: 'Block a user', ...schema } }, async (request, reply) => {
    await blockUser(fork(), actorOf(request), request.params.id)

    return reply.code(201).send(true)
  })

  app.post('/users/:id/unblock', { ...guard, schema: { summary: 'Unblock a user', ...schema } }, async (request, reply) => {
    await unblockUser(fork(), actorOf(request), request.params.id)

    return reply.code(201).send(true)
  })
}

/** Ends all sessions of the user; access tokens are rejected while the user is blocked. */
async function blockUser(em: EntityManager, actor: Actor, id: number) {
  await em.transactional(async em => {
    const user = await getAccount(em, id)

    await requireAnotherAdmin(em, user, 'blocked')
    if (user.id === actor.user?.id) throw new Forbidden('The API initiating user cannot be blocked by the API')
    if (await isLastOwner(em, user.id)) throw new Conflict('the user is the last owner of a group')
    if (!user.block()) return
    await em.nativeDelete(Session, { user: user.id })
    recordUserEvent(em, actor, user, 'user_blocked')
  })
}

async function unblockUser(em: EntityManager, actor: Actor, id: number) {
  await em.transactional(async em => {
    const user = await getAccount(em, id)

    if (user.unblock()) recordUserEvent(em, actor, user, 'user_unblocked')
  })
}
