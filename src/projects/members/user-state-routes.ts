import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { changeUserState } from './change-user-state.ts'

const summaries = {
  block: 'Block a user',
  unblock: 'Unblock a user',
  ban: 'Ban a user',
  unban: 'Unban a user',
  deactivate: 'Deactivate a user without activity in the last 90 days; signing in reactivates the account',
  activate: 'Activate a deactivated user'
} as const

/** The state of a user decides whether groups have a usable owner, so it belongs to memberships. */
export const userStateRoutes: FastifyPluginAsyncTypebox = async app => {
  for (const [change, summary] of Object.entries(summaries) as [keyof typeof summaries, string][]) {
    app.post(
      `/users/:id/${change}`,
      {
        config: { role: 'admin', additionalStatuses: [409] },
        schema: { summary, params: Type.Object({ id: Type.Integer() }), response: { 201: Nullable(Type.Boolean()) } }
      },
      async ({ em, actor, params }, reply) => reply.code(201).send(await changeUserState(em, actor, params.id, change, new Date()))
    )
  }
}
