import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { inertPolicy } from '#api/browser-headers.ts'
import { Download } from '#api/openapi/describe-response.ts'
import { disposition } from '#api/parameters/file-name.ts'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findError } from '../groups/find-group.ts'
import { AttachmentShape, EventParams } from './event-schemas.ts'
import { findAttachment, listAttachments } from './find-attachments.ts'
import { findEvent } from './list-events.ts'

export const attachmentRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const guard = { config: { role: 'developer' as const } }
  const attachments = `${path}/:fingerprint/events/:event_id/attachments`

  app.get(
    attachments,
    {
      ...guard,
      schema: { summary: 'List the attachments of an event', params: EventParams, response: { 200: Type.Array(AttachmentShape) } }
    },
    async ({ em, user, params }) => {
      const { projectId, eventId } = await findEventId(em, user, params)
      const rows = await listAttachments(em, projectId, eventId)

      return rows.map(row => ({
        id: row.id,
        filename: row.filename,
        content_type: row.content_type,
        size: row.size,
        created_at: writeTime(row.received_at)
      }))
    }
  )

  app.get(
    `${attachments}/:attachment_id`,
    {
      ...guard,
      schema: {
        summary: 'Download an attachment',
        params: Type.Object({ ...EventParams.properties, attachment_id: Type.Integer() }),
        response: { 200: Download('application/octet-stream') }
      }
    },
    async ({ em, user, params }, reply) => {
      const { projectId, eventId } = await findEventId(em, user, params)
      const file = await findAttachment(em, projectId, eventId, params.attachment_id)

      if (!file) throw new NotFound('Attachment')

      return sendAttachment(reply, file)
    }
  )
}

/** Any client with the key can send HTML: it must not run on this origin. */
export function sendAttachment(reply: FastifyReply, { filename, content }: { filename: string; content: Buffer }) {
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-disposition': disposition('attachment', filename),
      'content-security-policy': inertPolicy,
      'cache-control': 'private, no-store'
    })
    .send(content)
}

async function findEventId(em: EntityManager, viewer: Viewer, params: { id: string; fingerprint: number; event_id: string }) {
  const { group } = await findError(em, viewer, params)
  const event = await findEvent(em, group, params.event_id)

  if (!event) throw new NotFound('Event')

  return { projectId: group.projectId, eventId: event.event_id }
}
