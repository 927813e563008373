import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { callerOf } from '../../identity/identify.ts'
import { countByState } from './list-issues.ts'
import { isSeen } from './seen-issues.ts'

const none = Type.Literal(0)
const UserCounts = Type.Object({
  assigned_issues: Type.Integer(),
  merge_requests: none,
  assigned_merge_requests: none,
  review_requested_merge_requests: none,
  todos: none
})

/** What waits for the caller. There are no merge requests and no to-do items. */
export const userCountRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/user_counts',
    {
      onRequest: app.requireUser,
      config: { role: 'user' },
      schema: { summary: 'Count the open issues that are assigned to the caller', response: { 200: UserCounts } }
    },
    async request => {
      const em = fork()
      const viewer = callerOf(request)
      const { opened } = await countByState(em, { assigneeId: viewer.id, within: [await isSeen(em, viewer)] })

      return {
        assigned_issues: opened,
        merge_requests: 0 as const,
        assigned_merge_requests: 0 as const,
        review_requested_merge_requests: 0 as const,
        todos: 0 as const
      }
    }
  )
}
