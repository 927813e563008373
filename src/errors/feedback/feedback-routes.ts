import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { twoWayPage } from '#api/pagination/keyset.ts'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import { Role } from '#projects/members/member.ts'
import { findError } from '../groups/find-group.ts'
import { ErrorParams, ProjectId, page } from '../groups/group-schemas.ts'
import { plainId } from '../groups/present-group.ts'
import { findEventGroupIds } from '../merge/pending-moves.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { listFeedback } from './list-feedback.ts'

const FeedbackQuery = Type.Object(page)

const FeedbackShape = Type.Object({
  id: Type.Integer(),
  event_id: Nullable(Type.String()),
  fingerprint: Nullable(Type.Integer({ description: 'The error of the event; null when the event is deleted.' })),
  name: Type.String(),
  email: Type.String(),
  comments: Type.String(),
  created_at: Type.String()
})

export const feedbackRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }

  app.get(
    `${path}/feedback`,
    {
      ...guard,
      schema: {
        summary: 'List user feedback, newest first',
        params: ProjectId,
        querystring: FeedbackQuery,
        response: { 200: Type.Array(FeedbackShape) }
      }
    },
    async (request, reply) => {
      const project = await findMonitoredProject(request.em, request.user, request.params.id, Role.developer)

      return listPage(request, reply, project.id)
    }
  )

  app.get(
    `${path}/errors/:fingerprint/feedback`,
    {
      ...guard,
      schema: {
        summary: 'List user feedback on an error, newest first',
        params: ErrorParams,
        querystring: FeedbackQuery,
        response: { 200: Type.Array(FeedbackShape) }
      }
    },
    async (request, reply) => {
      const { group } = await findError(request.em, request.user, request.params)

      return listPage(request, reply, group.projectId, await findEventGroupIds(request.em, group))
    }
  )
}

async function listPage(request: FastifyRequest, reply: FastifyReply, projectId: number, groupIds?: number[]) {
  const page = await twoWayPage(request, reply, listFeedback(request.em, projectId, groupIds))

  return page.map(row => ({
    id: row.id,
    event_id: plainId(row.event_id),
    fingerprint: row.group_id,
    name: row.name,
    email: row.email,
    comments: row.comments,
    created_at: writeTime(row.received_at)
  }))
}
