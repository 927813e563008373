import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import { sendAttachment } from '../events/attachment-routes.ts'
import { findAttachment, listAttachments } from '../events/find-attachments.ts'
import { parseEventId } from '../parse/envelope.ts'
import { findProject } from './organization-projects.ts'

const Params = Type.Object({ org: Type.String(), project: Type.String(), event: Type.String() })
const Attachment = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  mimetype: Type.String(),
  size: Type.Integer(),
  sha1: Type.String({ description: 'Empty: it is not known.' }),
  dateCreated: Type.String()
})

export const attachmentRoutes: FastifyPluginAsyncTypebox = async app => {
  const guard = { config: { role: 'developer' as const } }
  const path = '/projects/:org/:project/events/:event/attachments'

  app.get(
    path,
    { ...guard, schema: { summary: 'List the attachments of an event', params: Params, response: { 200: Type.Array(Attachment) } } },
    async ({ em, user, params }) => {
      const { id } = await findProject(em, user, params.org, params.project)
      const eventId = parseEventId(params.event) ?? ''
      const rows = eventId ? await listAttachments(em, id, eventId) : []

      return rows.map(row => ({
        id: String(row.id),
        event_id: eventId,
        name: row.filename,
        type: 'event.attachment',
        mimetype: row.content_type ?? 'application/octet-stream',
        size: row.size,
        sha1: '',
        dateCreated: writeTime(row.received_at)
      }))
    }
  )

  app.get(
    `${path}/:attachment(^\\d{1,15}$)`,
    {
      ...guard,
      schema: {
        summary: 'Download an attachment',
        params: Type.Object({ ...Params.properties, attachment: Type.Integer() }),
        response: { 200: Download('application/octet-stream') }
      }
    },
    async ({ em, user, params }, reply) => {
      const { id } = await findProject(em, user, params.org, params.project)
      const eventId = parseEventId(params.event)
      const file = eventId && (await findAttachment(em, id, eventId, params.attachment))

      if (!file) throw new NotFound('Attachment')

      return sendAttachment(reply, file)
    }
  )
}
