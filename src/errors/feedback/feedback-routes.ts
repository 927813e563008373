import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { twoWayPage } from '#api/pagination/keyset.ts'
import { disposition } from '#api/parameters/file-name.ts'
import { imageHeaders, imageType } from '#lib/image-type.ts'
import { Nullable } from '#lib/nullable.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import { Role } from '#projects/members/member.ts'
import { findAttachment } from '../events/find-attachments.ts'
import { findError } from '../groups/find-group.ts'
import { ErrorParams, ProjectId, page } from '../groups/group-schemas.ts'
import { plainId } from '../groups/present-group.ts'
import { findEventGroupIds } from '../merge/pending-moves.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { findOwnId, listFeedback } from './list-feedback.ts'

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

const AttachmentParams = Type.Object({ ...ProjectId.properties, feedback_id: Type.Integer(), attachment_id: Type.Integer() })

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
    `${path}/feedback/:feedback_id/attachments/:attachment_id`,
    {
      ...guard,
      schema: {
        summary: 'Download a file that was sent with feedback, such as a screenshot',
        params: AttachmentParams,
        response: { 200: Download('*/*') }
      }
    },
    async ({ em, user, params }, reply) => {
      const project = await findMonitoredProject(em, user, params.id, Role.developer)
      const ownId = await findOwnId(em, project.id, params.feedback_id)
      const file = ownId && (await findAttachment(em, project.id, ownId, params.attachment_id))

      if (!file) throw new NotFound('Attachment')
      const image = imageType(file.content, file.filename)

      return reply
        .headers({
          ...imageHeaders(image ?? 'application/octet-stream'),
          'content-disposition': disposition(image ? 'inline' : 'attachment', file.filename),
          'cache-control': 'private, no-store'
        })
        .send(file.content)
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

      return listPage(request, reply, group.projectId, { groupIds: await findEventGroupIds(request.em, group) })
    }
  )
}

async function listPage(request: FastifyRequest, reply: FastifyReply, projectId: number, of: { groupIds?: number[] } = {}) {
  const page = await twoWayPage(request, reply, listFeedback(request.em, projectId, of))

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
