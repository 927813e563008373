import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { encodeFileName } from '../../http/parameters/file-name.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroupFor } from '../groups/find-group.ts'
import { AttachmentShape, EventParams } from './event-schemas.ts'
import { listAttachments, readAttachment } from './find-attachments.ts'
import { findEvent } from './stored-event.ts'

/** The files that came with an event. */
export const attachmentRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const } }
  const ofEvent = `${path}/:fingerprint/events/:event_id/attachments`

  app.get(
    ofEvent,
    {
      ...guard,
      schema: { summary: 'The files that came with an event', params: EventParams, response: { 200: Type.Array(AttachmentShape) } }
    },
    async request => {
      const em = fork()
      const { projectId, eventId } = await locate(em, callerOf(request), request.params)
      const rows = await listAttachments(em, projectId, eventId)

      return rows.map(row => ({
        id: Number(row.id),
        filename: row.filename,
        content_type: row.content_type,
        size: row.size,
        created_at: writeTime(row.received_at)
      }))
    }
  )

  app.get(
    `${ofEvent}/:attachment_id`,
    {
      ...guard,
      schema: {
        summary: 'A file that came with an event, as it came',
        params: Type.Object({ ...EventParams.properties, attachment_id: Type.Integer() }),
        response: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { projectId, eventId } = await locate(em, callerOf(request), request.params)
      const file = await readAttachment(em, projectId, eventId, request.params.attachment_id)

      if (!file) throw new NotFound('Attachment')

      // Anybody with a client key can send a page with a script: it must not run as one of ours.
      return reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename*=${encodeFileName(file.filename)}`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'private, no-store'
        })
        .send(file.content)
    }
  )
}

async function locate(em: EntityManager, viewer: Viewer, params: { id: string; fingerprint: number; event_id: string }) {
  const group = await findGroupFor(em, viewer, params)
  const event = await findEvent(em, group, params.event_id)

  if (!event) throw new NotFound('Event')

  return { projectId: group.projectId, eventId: event.event_id }
}
