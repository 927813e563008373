import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findReadableIssue } from './find-issue.ts'
import { IssueDetails, IssueParams } from './issue-schemas.ts'
import { loadIssues } from './load-issues.ts'
import { presentIssue } from './present-issue.ts'
import { subscribe } from './subscription-store.ts'

/** Subscribers are notified about an issue like its participants; users who unsubscribed, only when mentioned. */
export const issueSubscriptionRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  for (const [verb, isWanted] of [
    ['subscribe', true],
    ['unsubscribe', false]
  ] as const) {
    app.post(
      `/projects/:id/issues/:issue_iid/${verb}`,
      {
        onRequest: app.requireUser,
        config: { role: 'reporter', additionalStatuses: [304] },
        schema: {
          summary: `${isWanted ? 'Subscribe to' : 'Unsubscribe from'} an issue`,
          params: IssueParams,
          response: { 201: IssueDetails }
        }
      },
      async ({ em, user, params }, reply) => {
        const { project, issue } = await findReadableIssue(em, user, params)

        if (!(await subscribe(em, issue, user.id, isWanted))) return reply.code(304 as never).send(undefined as never)
        const [row] = await loadIssues(em, [issue.id])

        return reply.code(201).send({ ...presentIssue(row!, project, config.baseUrl), subscribed: isWanted })
      }
    )
  }
}
