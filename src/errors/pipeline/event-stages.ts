import { hash } from 'node:crypto'
import { encodingOf } from '#lib/inflate.ts'
import type { Json } from '#lib/json.ts'
import { packEvent } from '../events/payload.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { findFilter } from '../filters/filter-event.ts'
import { type Grouping, groupEvent } from '../grouping/group-event.ts'
import { readFields } from '../normalise/event-fields.ts'
import { normaliseEvent } from '../normalise/normalise-event.ts'
import { type EnvelopeItem, parseEventId } from '../parse/envelope.ts'
import type { ItemOrigin } from '../parse/item-origin.ts'
import { parseEvent } from '../parse/parse-event.ts'
import { scrub } from '../scrub/scrub.ts'
import type { ItemContext } from './context.ts'

/** An event on its way through the stages. */
interface EventInProgress extends ItemContext {
  item: EnvelopeItem
  origin: ItemOrigin
  /** As the SDK sent it. */
  sent: Json
  normalised: Json
  /** The current state: the same object as `normalised` while no frame was resolved and nothing scrubbed. */
  event: Json
  grouping: Grouping
}

const noPayload = Buffer.alloc(0)
/** Headers and blank lines around an event that is stored as received. */
const maxOverhead = 65_536

/** Changes the event, or returns the reason why it is dropped. */
type Stage = (progress: EventInProgress) => string | undefined | void | Promise<void>

/**
 * What happens to an event, in this order. Text that the server formats from a template exists once it is normalised, so
 * scrubbing comes later. Frames are resolved before grouping, so that a new build of the same code creates no new group.
 */
const stages: Stage[] = [decode, normalise, filter, symbolicate, removeSecrets, group]

/** Takes an event through the stages. Returns the reason when it is dropped. */
export async function processEvent(
  item: EnvelopeItem,
  origin: ItemOrigin,
  context: ItemContext,
  isFirst: boolean
): Promise<StoredEvent | string> {
  const progress = { ...context, item, origin } as EventInProgress

  for (const stage of stages) {
    const reason = await stage(progress)

    if (reason) return reason
  }

  return toStoredEvent(progress, isFirst)
}

function decode(progress: EventInProgress) {
  const sent = parseEvent(progress.item.payload, { frameCache: progress.frameCache })

  if (!sent) return 'unreadable'
  progress.sent = sent

  return undefined
}

function normalise(progress: EventInProgress) {
  progress.normalised = normaliseEvent(progress.sent, progress.frameCache?.normaliseFrames)
  progress.event = progress.normalised
}

function filter({ event, filters }: EventInProgress) {
  return filters && findFilter(event, filters)
}

async function symbolicate(progress: EventInProgress) {
  progress.event = await progress.resolve(progress.origin.projectId, progress.event)
}

function removeSecrets(progress: EventInProgress) {
  progress.event = scrub(progress.event, progress.rules).event
}

function group(progress: EventInProgress) {
  progress.grouping = groupEvent(progress.event, progress.frameCache?.readTrace)
}

function toStoredEvent(progress: EventInProgress, isFirst: boolean): StoredEvent {
  const { origin, job, envelope, event, grouping } = progress
  const { projectId, keyId, day, receivedAt } = origin

  return {
    projectId,
    keyId,
    envelopeId: job.id,
    eventId: eventIdOf(progress, isFirst),
    day,
    receivedAt,
    ...grouping,
    occurrence: readFields(event, receivedAt, envelope.header.sent_at),
    payload: job.isInSpike ? noPayload : (receivedPayload(progress) ?? packEvent(event))
  }
}

/** The ids of the envelope and of the job belong to its first event. */
function eventIdOf({ envelope, event, job, origin }: EventInProgress, isFirst: boolean) {
  const ownId = parseEventId(event.event_id)

  return isFirst ? (parseEventId(envelope.header.event_id) ?? ownId ?? job.id) : (ownId ?? derivedId(job.id, origin.position))
}

/** Deterministic, so that processing the envelope again stores the event once. */
function derivedId(envelopeId: string, position: number) {
  return hash('md5', `${envelopeId} ${position}`)
}

/**
 * The request, when it can be stored as received: it is compressed, contains only this event, and has no secrets. Packing
 * the event again would double the worker's time. The bytes must tell their encoding, because the header is not stored.
 */
function receivedPayload({ job, envelope, rules, sent, normalised, event }: EventInProgress) {
  const { header, items, size } = envelope
  const [item, ...others] = items

  if (event !== normalised || job.kind || !item || others.length > 0 || size > item.size + maxOverhead) return undefined
  if (encodingOf(job.body) !== job.encoding) return undefined

  return [header, item.header, sent].some(json => scrub(json, rules).isChanged) ? undefined : job.body
}
