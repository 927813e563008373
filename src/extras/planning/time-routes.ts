import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { findIssue } from '#issues/find-issue.ts'
import { IssueParams, TimeStats } from '#issues/issue-schemas.ts'
import { presentTimeStats } from '#issues/time-amount.ts'
import { estimate, forgetSpent, spend, type TimeChange, trackTime } from './track-time.ts'

const path = '/projects/:id/issues/:issue_iid'
const Duration = Type.String({ minLength: 1, maxLength: 100, description: 'Such as `1w 2d 3h 30m`; a day has 8 hours, a week 5 days.' })

/** GitLab's time tracking. */
export const timeRoutes: FastifyPluginAsyncTypebox = async app => {
  const guard = { config: { role: 'reporter' as const } }
  const response = { 200: TimeStats }

  app.get(
    `${path}/time_stats`,
    { ...guard, schema: { summary: 'Get the time estimate and the time spent', params: IssueParams, response } },
    async ({ em, user, params }) => {
      const { issue } = await findIssue(em, user, params)

      return presentTimeStats({ time_estimate: issue.timeEstimate, time_spent: issue.timeSpent })
    }
  )

  app.post(
    `${path}/time_estimate`,
    {
      ...guard,
      schema: { summary: 'Set the time estimate of an issue', params: IssueParams, body: Type.Object({ duration: Duration }), response }
    },
    async request => change(request, request.params, estimate(request.body.duration))
  )

  app.post(
    `${path}/reset_time_estimate`,
    { ...guard, schema: { summary: 'Remove the time estimate of an issue', params: IssueParams, response } },
    async request => change(request, request.params, estimate('0'))
  )

  app.post(
    `${path}/add_spent_time`,
    {
      ...guard,
      schema: {
        summary: 'Add time spent on an issue, or subtract it with a minus',
        params: IssueParams,
        body: Type.Object({ duration: Duration, summary: Type.Optional(Type.String({ maxLength: 255 })) }),
        response: { 201: TimeStats }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await change(request, request.params, spend(request.body.duration, request.body.summary)))
  )

  app.post(
    `${path}/reset_spent_time`,
    { ...guard, schema: { summary: 'Remove the time spent on an issue', params: IssueParams, response } },
    async request => change(request, request.params, forgetSpent)
  )

  async function change(request: FastifyRequest, params: Static<typeof IssueParams>, change: TimeChange) {
    const { issue } = await findIssue(request.em, request.user, params)

    await trackTime(request.em, issue, change, request.actor)

    return presentTimeStats({ time_estimate: issue.timeEstimate, time_spent: issue.timeSpent })
  }
}
