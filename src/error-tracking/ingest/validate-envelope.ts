import { inflate, TooLarge } from '../../lib/inflate.ts'
import { BrokenEnvelope, type Envelope, readEventId, splitEnvelope } from '../parse/envelope.ts'
import { checkLimits, largestEvent } from './envelope-limits.ts'
import { peekEventId } from './peek-event.ts'

export interface Seen {
  events: number
  eventId?: string
  /** The key that an envelope may carry in its own header. */
  key?: string
}

/** Whether a body is an envelope at all, and what its event is called. */
export async function lookOverEnvelope(body: Buffer, encoding: string, limit: number): Promise<Seen> {
  const envelope = splitEnvelope(await inflate(body, encoding, limit))
  const events = envelope.items.filter(({ type }) => type === 'event').length

  checkLimits(envelope.items)

  return { events, eventId: eventIdOf(envelope), key: keyIn(envelope.header.dsn) }
}

/** The usual case, at a fraction of the cost. */
export function glance(body: Buffer, encoding: string): Seen | undefined {
  const eventId = /^(x-)?gzip$/i.test(encoding) ? peekEventId(body, largestEvent) : undefined

  return eventId ? { events: 1, eventId } : undefined
}

/** An event without an envelope: JSON, or base64 of it, which the worker undoes. */
export async function lookOverStore(body: Buffer, encoding: string, limit: number): Promise<Seen> {
  const bytes = await inflate(body, encoding, limit)

  if (bytes.length > largestEvent) throw new TooLarge()
  const text = bytes.toString('utf8').trim()

  if (!/^[{[]/.test(text)) {
    if (!/^[A-Za-z0-9+/_=\s-]+$/.test(text)) throw new BrokenEnvelope('The event is neither JSON nor base64.')
    return { events: 1 }
  }

  return { events: 1, eventId: readEventId(parseLoosely(text).event_id) }
}

/** Old clients write NaN and Infinity, which the worker mends; anything else that is not JSON is the sender's mistake. */
function parseLoosely(text: string): { event_id?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw new BrokenEnvelope('The event is not valid JSON.')
    return { event_id: /"event_id"\s*:\s*"([^"]{32,36})"/.exec(text)?.[1] }
  }
}

/** Most SDKs name the event in the envelope's header; for the others it is read out of the event. */
function eventIdOf({ header, items }: Envelope) {
  const event = items.find(({ type }) => type === 'event')
  const fromHeader = readEventId(header.event_id)

  if (fromHeader || !event) return fromHeader

  try {
    return readEventId(JSON.parse(event.payload.toString('utf8'))?.event_id)
  } catch {
    return undefined
  }
}

function keyIn(dsn: unknown) {
  return typeof dsn === 'string' && dsn.length < 1000 ? URL.parse(dsn)?.username || undefined : undefined
}
