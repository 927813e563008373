import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { discussionRoutes } from './discussion-routes.ts'
import { issueEventRoutes } from './event-routes.ts'
import { labelPromotion, labelSubscriptions } from './label-action-routes.ts'
import { labelRoutes } from './label-routes.ts'
import { issueLinkRoutes } from './link-routes.ts'
import { milestoneIssueRoutes } from './milestone-issue-routes.ts'
import { milestonePromotion, milestoneRoutes } from './milestone-routes.ts'
import { moveRoutes } from './move-routes.ts'
import { timeRoutes } from './time-routes.ts'

/** What plans issues: labels and milestones, their history, links, discussions, time spent, and moves to other projects. */
export const planning: FastifyPluginAsyncTypebox = async app => {
  for (const kind of ['label', 'milestone', 'state'] as const) await app.register(issueEventRoutes, { kind })
  await app.register(discussionRoutes)
  await app.register(issueLinkRoutes)
  await app.register(timeRoutes)
  await app.register(moveRoutes)
  await app.register(labelPromotion)
  await app.register(milestonePromotion)
  for (const kind of ['projects', 'groups'] as const) {
    await app.register(labelRoutes, { kind })
    await app.register(labelSubscriptions, { kind })
    await app.register(milestoneRoutes, { kind })
    await app.register(milestoneIssueRoutes, { kind })
  }
}
