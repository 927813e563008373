import { inflate } from '../../lib/inflate.ts'
import type { InflateLimiter } from '../../lib/inflate-limiter.ts'
import type { Json } from '../../lib/json.ts'
import { parseEventId } from '../parse/envelope.ts'
import { type EnvelopeHandler, InvalidEnvelope } from '../parse/envelope-parser.ts'
import { type CompressedBody, readEnvelope } from '../parse/read-envelope.ts'
import { EnvelopeLimits, maxEventBytes } from './envelope-limits.ts'

export interface EnvelopeSummary {
  events: number
  eventId?: string
  /** The client key in the DSN of the envelope header. */
  publicKey?: string
}

/** Validates the headers of an envelope and its items. Payloads are parsed by the worker. */
export function validateEnvelope(body: CompressedBody, limiter: InflateLimiter): Promise<EnvelopeSummary> {
  const validator = new EnvelopeValidator()

  return readEnvelope(body, limiter, validator, () => validator.summary())
}

/** Holds no payload but that of the first event, when the envelope header has no id. */
class EnvelopeValidator implements EnvelopeHandler {
  #limits = new EnvelopeLimits()
  #header: Json = {}
  #events = 0
  #isInFirstEvent = false
  #firstEvent: Buffer[] = []

  onHeader(header: Json) {
    this.#header = header
  }

  onItem(type: string) {
    this.#limits.startItem(type)
    if (type === 'event') this.#events++
    this.#isInFirstEvent = type === 'event' && this.#events === 1
  }

  onPayload(piece: Buffer) {
    this.#limits.addPayload(piece.length)
    if (this.#isInFirstEvent && !parseEventId(this.#header.event_id)) this.#firstEvent.push(piece)
  }

  summary(): EnvelopeSummary {
    const { event_id: id, dsn } = this.#header

    return { events: this.#events, eventId: parseEventId(id) ?? idOfEvent(this.#firstEvent), publicKey: publicKeyOf(dsn) }
  }
}

/** Validates an event without an envelope: JSON, or base64 that the worker decodes. */
export function validateStoreBody({ body, encoding, maxInflated }: CompressedBody): EnvelopeSummary {
  const text = inflate(body, encoding, Math.min(maxInflated, maxEventBytes)).toString('utf8').trim()

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
function idOfEvent(pieces: Buffer[]) {
  if (pieces.length === 0) return undefined

  try {
    return parseEventId(JSON.parse(Buffer.concat(pieces).toString('utf8'))?.event_id)
  } catch {
    return undefined
  }
}

function publicKeyOf(dsn: unknown) {
  return typeof dsn === 'string' && dsn.length < 1000 ? URL.parse(dsn)?.username || undefined : undefined
}
