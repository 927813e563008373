import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { bidirectionalPage } from '../../http/pagination/keyset.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import { findGroupFor } from '../groups/find-group.ts'
import { ErrorParams, FeedbackQuery, FeedbackShape, ProjectId } from '../groups/group-schemas.ts'
import { plain } from '../groups/present-group.ts'
import { lotsOf } from '../merge/move-chunks.ts'
import { findMonitored } from '../settings/find-monitored-project.ts'
import { type FeedbackRow, listFeedback } from './list-feedback.ts'

/** What the people who met an error had to say about it. */
export const feedbackRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }

  app.get(
    `${path}/feedback`,
    {
      ...guard,
      schema: {
        summary: 'What people said about errors, newest first',
        params: ProjectId,
        querystring: FeedbackQuery,
        response: { 200: Type.Array(FeedbackShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const project = await findMonitored(em, callerOf(request), request.params.id, Role.developer)

      return pageOf(request, reply, em, project.id)
    }
  )

  app.get(
    `${path}/errors/:fingerprint/feedback`,
    {
      ...guard,
      schema: {
        summary: 'What people said about an error, newest first',
        params: ErrorParams,
        querystring: FeedbackQuery,
        response: { 200: Type.Array(FeedbackShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)

      return pageOf(request, reply, em, group.projectId, await lotsOf(em, group))
    }
  )
}

async function pageOf(request: FastifyRequest, reply: FastifyReply, em: EntityManager, projectId: number, groupIds?: number[]) {
  const page = await bidirectionalPage<FeedbackRow, [number]>(request, reply, {
    shape: ['id'],
    positionOf: row => [Number(row.id)],
    list: (from, isBackwards, limit) => listFeedback(em, projectId, { groupIds, isAscending: isBackwards, after: from?.[0], limit })
  })

  return page.map(row => ({
    id: Number(row.id),
    event_id: plain(row.event_id ?? undefined),
    fingerprint: row.group_id === null ? null : Number(row.group_id),
    name: row.name,
    email: row.email,
    comments: row.comments,
    created_at: writeTime(row.received_at)
  }))
}
