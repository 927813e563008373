import { hash } from 'node:crypto'
import { encodingOf } from '#lib/inflate.ts'
import type { Json } from '#lib/json.ts'
import { packEvent } from '../events/payload.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { findFilter } from '../filters/filter-event.ts'
import { groupEvent } from '../grouping/group-event.ts'
import { readFields } from '../normalise/event-fields.ts'
import { normaliseEvent } from '../normalise/normalise-event.ts'
import { scrub } from '../scrub/scrub.ts'
import { type EnvelopeItem, parseEventId } from './envelope.ts'
import type { ItemOrigin } from './item-origin.ts'
import { parseEvent } from './parse-event.ts'
import type { ItemContext } from './parse-options.ts'

const noPayload = Buffer.alloc(0)
/** Headers and blank lines around an event that is stored as received. */
const maxOverhead = 65_536

/**
 * Parses, normalises, filters, resolves, scrubs and groups an event. Returns the reason when it is dropped. Normalises
 * before scrubbing, so that text which the server formats from a template is scrubbed, too.
 */
export async function processEvent(
  item: EnvelopeItem,
  { projectId, keyId, position, receivedAt, day }: ItemOrigin,
  context: ItemContext,
  isFirst: boolean
): Promise<StoredEvent | string> {
  const { job, envelope, rules, filters, resolve, frameCache } = context
  const sent = parseEvent(item.payload, { frameCache })

  if (!sent) return 'unreadable'
  const normalised = normaliseEvent(sent, frameCache?.normaliseFrames)
  const filter = filters && findFilter(normalised, filters)

  if (filter) return filter
  // Before grouping, so that a new build of the same code does not create a new group.
  const resolved = await resolve(projectId, normalised)
  const { event } = scrub(resolved, rules)
  // The ids of the envelope and of the job belong to its first event.
  const eventId =
    (isFirst ? parseEventId(envelope.header.event_id) : undefined) ??
    parseEventId(event.event_id) ??
    (isFirst ? job.id : derivedId(job.id, position))

  return {
    projectId,
    keyId,
    envelopeId: job.id,
    eventId,
    day,
    receivedAt,
    ...groupEvent(event, frameCache?.readTrace),
    occurrence: readFields(event, receivedAt, envelope.header.sent_at),
    payload: job.isInSpike ? noPayload : (event === normalised && receivedPayload(sent, context)) || packEvent(event)
  }
}

/**
 * The request, when it can be stored as received: it is compressed, contains only this event, and has no secrets. Packing
 * the event again would double the worker's time. The bytes must tell their encoding, because the header is not stored.
 */
function receivedPayload(sent: Json, { job, envelope: { header, items, size }, rules }: ItemContext) {
  const [item, ...others] = items

  if (job.kind || !item || others.length > 0 || size > item.size + maxOverhead) return undefined
  if (encodingOf(job.body) !== job.encoding) return undefined

  return [header, item.header, sent].some(json => scrub(json, rules).isChanged) ? undefined : job.body
}

/** Deterministic, so that processing the envelope again stores the event once. */
function derivedId(envelopeId: string, position: number) {
  return hash('md5', `${envelopeId} ${position}`)
}
