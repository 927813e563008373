import { inflate, TooLarge } from '../../lib/inflate.ts'
import { type Envelope, InvalidEnvelope, parseEventId, splitEnvelope } from '../parse/envelope.ts'
import { checkLimits, maxEventBytes } from './envelope-limits.ts'
import { peekEventId } from './peek-event.ts'

export interface EnvelopeSummary {
  events: number
  eventId?: string
  /** The key that an envelope may carry in its own header. */
  key?: string
}

/** Whether a body is an envelope at all, and what its event is called. */
export async function validateEnvelope(body: Buffer, encoding: string, limit: number): Promise<EnvelopeSummary> {
  const envelope = splitEnvelope(await inflate(body, encoding, limit))
  const events = envelope.items.filter(({ type }) => type === 'event').length

  checkLimits(envelope.items)

  return { events, eventId: eventIdOf(envelope), key: keyIn(envelope.header.dsn) }
}

/** The usual case, at a fraction of the cost. */
export function glance(body: Buffer, encoding: string): EnvelopeSummary | undefined {
  const eventId = /^(x-)?gzip$/i.test(encoding) ? peekEventId(body, maxEventBytes) : undefined

  return eventId ? { events: 1, eventId } : undefined
}

/** An event without an envelope: JSON, or base64 of it, which the worker undoes. */
export async function validateStoreRequest(body: Buffer, encoding: string, limit: number): Promise<EnvelopeSummary> {
  const bytes = await inflate(body, encoding, limit)

  if (bytes.length > maxEventBytes) throw new TooLarge()
  const text = bytes.toString('utf8').trim()

  if (!/^[{[]/.test(text)) {
    if (!/^[A-Za-z0-9+/_=\s-]+$/.test(text)) throw new InvalidEnvelope('The event is neither JSON nor base64.')
    return { events: 1 }
  }

  return { events: 1, eventId: parseEventId(parseLoosely(text).event_id) }
}

/** Old clients write NaN and Infinity, which the worker mends; anything else that is not JSON is the sender's mistake. */
function parseLoosely(text: string): { event_id?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw new InvalidEnvelope('The event is not valid JSON.')
    return { event_id: /"event_id"\s*:\s*"([^"]{32,36})"/.exec(text)?.[1] }
  }
}

/** Most SDKs name the event in the envelope's header; for the others it is read out of the event. */
function eventIdOf({ header, items }: Envelope) {
  const event = items.find(({ type }) => type === 'event')
  const fromHeader = parseEventId(header.event_id)

  if (fromHeader || !event) return fromHeader

  try {
    return parseEventId(JSON.parse(event.payload.toString('utf8'))?.event_id)
  } catch {
    return undefined
  }
}

function keyIn(dsn: unknown) {
  return typeof dsn === 'string' && dsn.length < 1000 ? URL.parse(dsn)?.username || undefined : undefined
}
