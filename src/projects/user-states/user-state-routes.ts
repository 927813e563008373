import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { Conflict } from '../../http/problems/problems.ts'
import { getAccount } from '../../identity/users/find-user.ts'
import { changeUserState } from './change-user-state.ts'

const summaries = {
  block: 'Block a user',
  unblock: 'Unblock a user',
  ban: 'Ban a user',
  unban: 'Unban a user',
  deactivate: 'Deactivate a user without activity in the last 90 days; signing in reactivates',
  activate: 'Activate a deactivated user'
} as const

/** Users do not sign up by themselves, so none waits for an approval. GitLab's answers for users who do not wait. */
const refusals = {
  approve: 'The user you are trying to approve is not pending approval',
  reject: 'User does not have a pending request'
}

/** The state of a user decides whether groups have a usable owner, so it belongs to memberships. */
export const userStateRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  for (const [change, summary] of Object.entries(summaries) as [keyof typeof summaries, string][]) {
    app.post(
      `/users/:id/${change}`,
      {
        onRequest: app.requireAdmin,
        config: { role: 'admin', additionalStatuses: [409] },
        schema: { summary, params: Type.Object({ id: Type.Integer() }), response: { 201: Nullable(Type.Boolean()) } }
      },
      async (request, reply) => reply.code(201).send(await changeUserState(fork(), actorOf(request), request.params.id, change, new Date()))
    )
  }

  for (const [verb, refusal] of Object.entries(refusals)) {
    app.post(
      `/users/:id/${verb}`,
      {
        onRequest: app.requireAdmin,
        config: { role: 'admin', additionalStatuses: [409] },
        schema: {
          summary: `${verb === 'approve' ? 'Approve' : 'Reject'} a user who signed up: there are none`,
          params: Type.Object({ id: Type.Integer() }),
          response: { 201: Type.Null() }
        }
      },
      async request => {
        await getAccount(fork(), request.params.id)
        throw new Conflict(refusal)
      }
    )
  }
}
