import { parseEventId } from '#errors/parse/envelope.ts'
import { EnvelopeLimits, maxEventBytes } from '#errors/parse/envelope-limits.ts'
import { type EnvelopeHandler, InvalidEnvelope } from '#errors/parse/envelope-parser.ts'
import { type CompressedBody, readEnvelope } from '#errors/parse/read-envelope.ts'
import { decodeStoreBody } from '#errors/parse/store-body.ts'
import { inflate } from '#lib/inflate.ts'
import type { InflateLimiter } from '#lib/inflate-limiter.ts'
import type { Json } from '#lib/json.ts'
import { unsupportedCategory } from './ingest-error.ts'

export interface EnvelopeSummary {
  events: number
  /** Whether it holds items that are neither events nor attachments, which belong to events. */
  hasOthers: boolean
  /** What SDKs call the items that are dropped. */
  unsupported: string[]
  eventId?: string
  /** What the DSN of the envelope header names. */
  dsn?: Dsn
}

export interface Dsn {
  publicKey: string
  projectId: string
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
  #hasOthers = false
  #unsupported = new Set<string>()
  #isInFirstEvent = false
  #firstEvent: Buffer[] = []

  onHeader(header: Json) {
    this.#header = header
  }

  onItem(type: string) {
    this.#limits.startItem(type)
    if (type === 'event') this.#events++
    else if (type !== 'attachment') this.#hasOthers = true
    const category = unsupportedCategory(type)

    if (category) this.#unsupported.add(category)
    this.#isInFirstEvent = type === 'event' && this.#events === 1
  }

  onPayload(piece: Buffer) {
    this.#limits.addPayload(piece.length)
    if (this.#isInFirstEvent && !readEventId(this.#header.event_id)) this.#firstEvent.push(piece)
  }

  summary(): EnvelopeSummary {
    const { event_id: id, dsn } = this.#header

    return {
      events: this.#events,
      hasOthers: this.#hasOthers,
      unsupported: [...this.#unsupported],
      eventId: readEventId(id) ?? idOfEvent(this.#firstEvent),
      dsn: readDsn(dsn)
    }
  }
}

/** Validates an event without an envelope: JSON, or base64 or zlib of it. Returns its id, if it has one, and its type. */
export function validateStoreBody({ body, encoding, maxInflated }: CompressedBody) {
  const json = decodeStoreBody(inflate(body, encoding, Math.min(maxInflated, maxEventBytes)), maxEventBytes)

  if (!json) throw new InvalidEnvelope('The event is neither JSON nor base64.')

  const event = parseLoosely(json.toString('utf8').trim())

  return { eventId: readEventId(event.event_id), isTransaction: event.type === 'transaction' }
}

/** Validates a security report. The Reporting API sends a list. */
export function validateReport({ body, encoding, maxInflated }: CompressedBody) {
  const text = inflate(body, encoding, Math.min(maxInflated, maxEventBytes)).toString('utf8').trim()

  if (!/^[{[]/.test(text)) throw new InvalidEnvelope('The report is not JSON.')
  parseLoosely(text)
}

/** Old clients write NaN and Infinity, which the worker replaces. */
function parseLoosely(text: string): { event_id?: unknown; type?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw new InvalidEnvelope('The event is not valid JSON.')
    return { event_id: /"event_id"\s{0,8}:\s{0,8}"([^"]{0,100})"/.exec(text)?.[1] }
  }
}

/** Some SDKs send the id in the event only. The worker counts an event that is not JSON. */
function idOfEvent(pieces: Buffer[]) {
  if (pieces.length === 0) return undefined
  let event: { event_id?: unknown } | undefined

  try {
    event = JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {}

  return readEventId(event?.event_id)
}

/** Undefined without an id; an invalid one is refused. */
function readEventId(sent: unknown) {
  if (sent === undefined || sent === null) return undefined
  const id = parseEventId(sent)

  if (!id) throw new InvalidEnvelope('The event_id is not a UUID.')

  return id
}

/** `https://key@host/path/project` */
export function readDsn(dsn: unknown): Dsn | undefined {
  const url = typeof dsn === 'string' && dsn.length < 1000 ? URL.parse(dsn) : undefined

  return url ? { publicKey: url.username, projectId: url.pathname.split('/').findLast(Boolean) ?? '' } : undefined
}
