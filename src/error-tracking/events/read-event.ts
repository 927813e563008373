import { hash } from 'node:crypto'
import { identify } from '../grouping/identify-event.ts'
import { modernise } from '../normalise/event-interfaces.ts'
import { normalise } from '../normalise/normalise-event.ts'
import { type EnvelopeItem, readEventId } from '../parse/envelope.ts'
import type { Origin } from '../parse/items/item-origin.ts'
import type { Context } from '../parse/items/parse-item.ts'
import { parseEvent } from '../parse/parse-event.ts'
import { scrub } from '../scrub/scrub.ts'
import { packEvent, packPayload } from './payload.ts'
import type { StoredEvent } from './stored-event.ts'

/** An event made ready to be stored; nothing when it is none. */
export async function readEvent(
  item: EnvelopeItem,
  { projectId, position, receivedAt, day }: Origin,
  context: Context,
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
    (isFirst ? readEventId(envelope.header.event_id) : undefined) ??
    readEventId(event.event_id) ??
    (isFirst ? job.id : idAt(job.id, position))

  return {
    projectId,
    envelopeId: job.id,
    eventId,
    day,
    receivedAt,
    ...identify(clean),
    occurrence: normalise(clean, receivedAt, { sentAt: envelope.header.sent_at }),
    payload: job.isInSpike ? nothing : pack()
  }

  function pack() {
    // What was filtered must not be stored; and what is not JSON, could not be read again.
    const isAsSent = !isChanged && event === sent && item.payload[0] === openingBrace

    return isAsSent ? packPayload(body, envelope.items, item) : packEvent(modernise(clean))
  }
}

const nothing = Buffer.alloc(0)

/** The same whenever the envelope is worked. */
function idAt(envelopeId: string, position: number) {
  return hash('md5', `${envelopeId} ${position}`)
}

const openingBrace = 0x7b
