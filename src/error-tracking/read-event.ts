import { type EnvelopeItem, readEventId } from './envelope.ts'
import { identify } from './grouping/identify.ts'
import type { Origin } from './items/origin.ts'
import type { Context } from './items/read.ts'
import { normalise } from './normalise.ts'
import type { StoredEvent } from './occurrence.ts'
import { parseEvent } from './parse-event.ts'
import { packEvent, packPayload } from './payload.ts'
import { defaultRules } from './scrub/rules.ts'
import { scrub } from './scrub/scrub.ts'

/** An event made ready to be stored; nothing when it is none. */
export async function readEvent(
  item: EnvelopeItem,
  { projectId, receivedAt, day }: Origin,
  context: Context,
  isFirst: boolean
): Promise<StoredEvent | undefined> {
  const { job, envelope, body } = context
  const sent = parseEvent(item.payload)

  if (!sent || Array.isArray(sent)) return undefined
  // Before anything is looked at: problems are told apart by the code that people wrote, not by what a build made of it.
  const event = await context.resolve(projectId, sent)
  const { event: clean, isChanged } = scrub(event, defaultRules)
  const occurrence = normalise(clean, receivedAt, { sentAt: envelope.header.sent_at })
  // A second event of an envelope cannot have the envelope's id.
  const eventId = (isFirst ? readEventId(envelope.header.event_id) : undefined) ?? readEventId(event.event_id) ?? job.id

  return {
    projectId,
    envelopeId: job.id,
    eventId,
    day,
    receivedAt,
    ...identify(clean),
    occurrence,
    // What was filtered must not be stored; and what is not JSON, could not be read again.
    payload:
      isChanged || event !== sent || item.payload[0] !== openingBrace
        ? packEvent(occurrence.event)
        : packPayload(body, envelope.items, item)
  }
}

const openingBrace = 0x7b
