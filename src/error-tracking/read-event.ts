import { type EnvelopeItem, readEventId } from './envelope.ts'
import { describe, fingerprint } from './fingerprint.ts'
import type { Origin } from './items/origin.ts'
import type { Context } from './items/read.ts'
import { normalise } from './normalise.ts'
import type { StoredEvent } from './occurrence.ts'
import { parseEvent } from './parse-event.ts'
import { packPayload } from './payload.ts'

/** An event made ready to be stored; nothing when it is none. */
export function readEvent(
  item: EnvelopeItem,
  { projectId, receivedAt, day }: Origin,
  context: Context,
  isFirst: boolean
): StoredEvent | undefined {
  const { job, envelope, body } = context
  const event = parseEvent(item.payload)

  if (!event || Array.isArray(event)) return undefined
  const occurrence = normalise(event, receivedAt)
  // A second event of an envelope cannot have the envelope's id.
  const eventId = (isFirst ? readEventId(envelope.header.event_id) : undefined) ?? readEventId(event.event_id) ?? job.id

  return {
    projectId,
    envelopeId: job.id,
    eventId,
    day,
    receivedAt,
    hash: fingerprint(occurrence),
    title: describe(occurrence),
    occurrence,
    payload: packPayload(body, envelope.items, item)
  }
}
