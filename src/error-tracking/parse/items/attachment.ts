import type { Json } from '../../../lib/json.ts'
import { byteaArray, type EntityManager, query } from '../../../platform/database/database.ts'
import { type EnvelopeItem, parseEventId } from '../envelope.ts'
import { boundedText, type ItemOrigin } from './item-origin.ts'

export interface Attachment extends ItemOrigin {
  eventId?: string
  filename: string
  contentType?: string
  content: Buffer
}

/** Per envelope. */
export const maxAttachments = 30

export function toAttachment({ header, payload }: EnvelopeItem, envelopeHeader: Json, origin: ItemOrigin): Attachment {
  return {
    ...origin,
    eventId: parseEventId(envelopeHeader.event_id),
    filename: boundedText(header.filename, 255) || 'attachment',
    contentType: boundedText(header.content_type, 255) || undefined,
    // Copied, because a slice would hold the whole envelope in memory.
    content: Buffer.from(payload)
  }
}

export async function storeAttachments(em: EntityManager, all: Attachment[]) {
  if (all.length === 0) return
  const columns = <T>(read: (attachment: Attachment) => T) => all.map(read)

  await query(
    em,
    `INSERT INTO error_attachments (project_id, envelope_id, position, event_id, filename, content_type, size, content, received_at)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::bytea[], $9::timestamptz[])
     ON CONFLICT DO NOTHING`,
    [
      columns(({ projectId }) => projectId),
      columns(({ envelopeId }) => envelopeId),
      columns(({ position }) => position),
      columns(({ eventId }) => eventId ?? null),
      columns(({ filename }) => filename),
      columns(({ contentType }) => contentType ?? null),
      columns(({ content }) => content.length),
      byteaArray(columns(({ content }) => content)),
      columns(({ receivedAt }) => receivedAt.toISOString())
    ]
  )
}
