import { hash } from 'node:crypto'
import { packEvent, packPayload } from '../../events/payload.ts'
import type { StoredEvent } from '../../events/stored-event.ts'
import { groupEvent } from '../../grouping/group-event.ts'
import { extractFields } from '../../normalise/event-fields.ts'
import { normaliseEvent } from '../../normalise/normalise-event.ts'
import { scrub } from '../../scrub/scrub.ts'
import { type EnvelopeItem, parseEventId } from '../envelope.ts'
import { parseEvent } from '../parse-event.ts'
import type { ItemOrigin } from './item-origin.ts'
import type { ItemContext } from './parse-item.ts'

/** An event made ready to be stored; nothing when it is none. */
export async function processEvent(
  item: EnvelopeItem,
  { projectId, position, receivedAt, day }: ItemOrigin,
  context: ItemContext,
  isFirst: boolean
): Promise<StoredEvent | undefined> {
  const { job, envelope, body, rules, resolve } = context
  const sent = parseEvent(item.payload)

  if (!sent || Array.isArray(sent)) return undefined
  // Before anything is looked at: problems are told apart by the code that people wrote, not by what a build made of it.
  const event = await resolve(projectId, sent)
  const { event: clean, isChanged } = scrub(event, rules)
  // A second event of an envelope cannot have the envelope's id, nor the one that was made for it.
  const eventId =
    (isFirst ? parseEventId(envelope.header.event_id) : undefined) ??
    parseEventId(event.event_id) ??
    (isFirst ? job.id : idAt(job.id, position))

  return {
    projectId,
    envelopeId: job.id,
    eventId,
    day,
    receivedAt,
    ...groupEvent(clean),
    occurrence: extractFields(clean, receivedAt, { sentAt: envelope.header.sent_at }),
    payload: job.isInSpike ? nothing : pack()
  }

  function pack() {
    // What was filtered must not be stored; and what is not JSON, could not be read again.
    const isAsSent = !isChanged && event === sent && item.payload[0] === openingBrace

    return isAsSent ? packPayload(body, envelope.items, item) : packEvent(normaliseEvent(clean))
  }
}

const nothing = Buffer.alloc(0)

/** The same whenever the envelope is worked. */
function idAt(envelopeId: string, position: number) {
  return hash('md5', `${envelopeId} ${position}`)
}

const openingBrace = 0x7b
