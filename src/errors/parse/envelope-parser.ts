import { TooLarge } from '#lib/inflate.ts'
import { isObject, type Json } from '#lib/json.ts'

/** The body does not follow the envelope format. */
export class InvalidEnvelope extends Error {
  override name = 'InvalidEnvelope'
}

/** Receives the parts of an envelope in order. A payload comes in pieces, which share the memory of the chunks. */
export interface EnvelopeHandler {
  onHeader: (header: Json) => void
  onItem: (type: string, header: Json) => void
  onPayload: (piece: Buffer) => void
  onItemEnd?: () => void
  /** All bytes, also those between the parts. */
  onBytes?: (bytes: number) => void
}

const newline = 0x0a
const maxHeaderBytes = 65_536

/**
 * Parses an envelope in chunks without holding its payloads: a header line, then items of a header line and a payload,
 * which ends after `length` bytes or else at the next newline.
 */
export class EnvelopeParser {
  #handler: EnvelopeHandler
  #state: 'header' | 'item' | 'payload' | 'end of payload' = 'header'
  /** The beginning of a line that continues in the next chunk. */
  #line = new GrowingBuffer()
  /** Payload bytes to come; undefined when the payload ends at a newline. */
  #remaining: number | undefined

  constructor(handler: EnvelopeHandler) {
    this.#handler = handler
  }

  push(chunk: Buffer) {
    this.#handler.onBytes?.(chunk.length)
    for (let at = 0; at < chunk.length; ) at = this.#state.endsWith('payload') ? this.#readPayload(chunk, at) : this.#readLine(chunk, at)
  }

  end() {
    if (this.#state === 'header' || this.#line.length > 0) this.#endLine(this.#line.take())
    if (this.#remaining) throw new InvalidEnvelope('An item is shorter than its declared length.')
    if (this.#state === 'payload') this.#handler.onItemEnd?.()
  }

  /** Returns the offset of the next part, as all of these do. */
  #readLine(chunk: Buffer, at: number) {
    // SDKs add blank lines at the end.
    if (this.#state === 'item' && this.#line.length === 0 && chunk[at] === newline) return at + 1
    const end = chunk.indexOf(newline, at)
    const piece = end === -1 ? chunk.subarray(at) : chunk.subarray(at, end)

    if (this.#line.length + piece.length > maxHeaderBytes)
      throw new TooLarge(`The envelope is too large: headers may have ${maxHeaderBytes} bytes each.`)
    if (end === -1) {
      this.#line.append(piece)
      return chunk.length
    }
    this.#endLine(this.#line.length > 0 ? this.#line.append(piece).take() : piece)

    return end + 1
  }

  #endLine(line: Buffer) {
    if (this.#state === 'item') return this.#startItem(parseHeader(line, 'item header'))
    // After a byte order mark.
    this.#handler.onHeader(parseHeader(line[0] === 0xef ? line.subarray(3) : line, 'envelope header'))
    this.#state = 'item'
  }

  #startItem(header: Json) {
    if (typeof header.type !== 'string') throw new InvalidEnvelope('An item header has no type.')
    this.#remaining = lengthOf(header)
    this.#handler.onItem(header.type, header)
    this.#state = 'payload'
    if (this.#remaining === 0) this.#endItem('end of payload')
  }

  #readPayload(chunk: Buffer, at: number) {
    if (this.#state === 'end of payload') return this.#readNewline(chunk, at)
    const lineEnd = this.#remaining === undefined ? chunk.indexOf(newline, at) : -1
    const end = lineEnd === -1 ? Math.min(chunk.length, at + (this.#remaining ?? Infinity)) : lineEnd

    if (end > at) this.#handler.onPayload(chunk.subarray(at, end))
    if (this.#remaining !== undefined) this.#remaining -= end - at
    if (this.#remaining === 0) this.#endItem('end of payload')
    if (lineEnd === -1) return end
    this.#endItem('item')

    return end + 1
  }

  #readNewline(chunk: Buffer, at: number) {
    if (chunk[at] !== newline) throw new InvalidEnvelope('An item is longer than its declared length.')
    this.#state = 'item'

    return at + 1
  }

  #endItem(state: 'item' | 'end of payload') {
    this.#handler.onItemEnd?.()
    this.#state = state
  }
}

export function parseHeader(line: Buffer, name: string): Json {
  let value: unknown

  try {
    value = JSON.parse(line.toString('utf8'))
  } catch {
    throw new InvalidEnvelope(`The ${name} is not valid JSON.`)
  }
  if (!isObject(value)) throw new InvalidEnvelope(`The ${name} is not an object.`)

  return value
}

function lengthOf({ length }: Json) {
  if (length === undefined || length === null) return undefined
  if (!Number.isInteger(length) || (length as number) < 0) throw new InvalidEnvelope('An item length is not a non-negative integer.')

  return length as number
}

/** Doubles its memory, so that a line that arrives byte by byte is not copied for each of them. */
class GrowingBuffer {
  #bytes: Buffer = Buffer.alloc(0)
  length = 0

  append(piece: Buffer) {
    const length = this.length + piece.length

    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.length))

      this.#bytes.copy(larger, 0, 0, this.length)
      this.#bytes = larger
    }
    piece.copy(this.#bytes, this.length)
    this.length = length

    return this
  }

  /** Its content; it is empty afterwards. */
  take() {
    const content = this.#bytes.subarray(0, this.length)

    this.#bytes = Buffer.alloc(0)
    this.length = 0

    return content
  }
}
