import { inflate, TooLarge } from '../../lib/inflate.ts'
import { type Envelope, InvalidEnvelope, parseEventId, splitEnvelope } from '../parse/envelope.ts'
import { checkLimits, maxEventBytes } from './envelope-limits.ts'

export interface EnvelopeSummary {
  events: number
  eventId?: string
  /** The client key in the DSN of the envelope header. */
  publicKey?: string
}

/** Validates the headers of an envelope and its items. Payloads are parsed by the worker. */
export async function validateEnvelope(body: Buffer, encoding: string, maxInflated: number): Promise<EnvelopeSummary> {
  const envelope = splitEnvelope(await inflate(body, encoding, maxInflated))
  const events = envelope.items.filter(({ type }) => type === 'event').length

  checkLimits(envelope.items)

  return { events, eventId: eventIdOf(envelope), publicKey: publicKeyOf(envelope.header.dsn) }
}

/** Validates an event without an envelope: JSON, or base64 that the worker decodes. */
export async function validateStoreBody(body: Buffer, encoding: string, maxInflated: number): Promise<EnvelopeSummary> {
  const bytes = await inflate(body, encoding, maxInflated)

  if (bytes.length > maxEventBytes) throw new TooLarge()
  const text = bytes.toString('utf8').trim()

  if (/^[{[]/.test(text)) return { events: 1, eventId: parseEventId(parseLoosely(text).event_id) }
  if (!/^[A-Za-z0-9+/_=\s-]+$/.test(text)) throw new InvalidEnvelope('The event is neither JSON nor base64.')

  return { events: 1 }
}

/** Old clients write NaN and Infinity, which the worker replaces. */
function parseLoosely(text: string): { event_id?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw new InvalidEnvelope('The event is not valid JSON.')
    return { event_id: /"event_id"\s*:\s*"([^"]{32,36})"/.exec(text)?.[1] }
  }
}

/** Some SDKs send the id in the event only. */
function eventIdOf({ header, items }: Envelope) {
  const event = items.find(({ type }) => type === 'event')
  const headerId = parseEventId(header.event_id)

  if (headerId || !event) return headerId

  try {
    return parseEventId(JSON.parse(event.payload.toString('utf8'))?.event_id)
  } catch {
    return undefined
  }
}

function publicKeyOf(dsn: unknown) {
  return typeof dsn === 'string' && dsn.length < 1000 ? URL.parse(dsn)?.username || undefined : undefined
}
