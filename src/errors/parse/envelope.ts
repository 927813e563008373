import type { Json } from '#lib/json.ts'
import { type EnvelopeHandler, EnvelopeParser } from './envelope-parser.ts'

export interface Envelope {
  header: Json
  items: EnvelopeItem[]
  /** Bytes of the envelope, inflated. */
  size: number
}

export interface EnvelopeItem {
  type: string
  header: Json
  /** Bytes of the payload as sent. */
  size: number
  /** Empty when the payload is larger than what is kept of its type. */
  payload: Buffer
}

const none = Buffer.alloc(0)

/** Collects the items of an envelope, with payloads of up to `maxBytes`. */
export class EnvelopeCollector implements EnvelopeHandler {
  envelope: Envelope = { header: {}, items: [], size: 0 }
  #maxBytes: (type: string) => number
  #pieces: Buffer[] = []
  #max = 0
  #item!: EnvelopeItem

  constructor(maxBytes: (type: string) => number) {
    this.#maxBytes = maxBytes
  }

  onBytes(bytes: number) {
    this.envelope.size += bytes
  }

  onHeader(header: Json) {
    this.envelope.header = header
  }

  onItem(type: string, header: Json) {
    this.#item = { type, header, size: 0, payload: none }
    this.#max = this.#maxBytes(type)
    this.envelope.items.push(this.#item)
  }

  onPayload(piece: Buffer) {
    this.#item.size += piece.length
    if (this.#item.size <= this.#max) this.#pieces.push(piece)
    else this.#pieces = []
  }

  onItemEnd() {
    this.#item.payload = this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : none
    this.#pieces = []
  }
}

/** Splits an envelope without copying or parsing its payloads. */
export function splitEnvelope(bytes: Buffer): Envelope {
  const collector = new EnvelopeCollector(() => Infinity)
  const parser = new EnvelopeParser(collector)

  parser.push(bytes)
  parser.end()

  return collector.envelope
}

/** Normalises an event id, with or without dashes, to 32 lower-case hex digits; undefined when it is invalid. */
export function parseEventId(value: unknown) {
  if (typeof value !== 'string') return undefined
  const id = value.replaceAll('-', '').toLowerCase()

  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}
