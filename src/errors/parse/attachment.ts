import type { Json } from '#lib/json.ts'
import { type EnvelopeItem, parseEventId } from './envelope.ts'
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
