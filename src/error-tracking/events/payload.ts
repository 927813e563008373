import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { encodingOf, inflate } from '../../lib/inflate.ts'
import { encodeEvent } from '../normalise/encode.ts'
import { type Envelope, type EnvelopeItem, splitEnvelope } from '../parse/envelope.ts'

/** Upper bound of a stored payload once inflated. Older ones may have this much. */
const maxInflated = 200 << 20

/**
 * The payload of an event to store. A compressed envelope with a single item is stored as received, which saves
 * compressing again; otherwise the event is compressed.
 */
export function packPayload(body: Buffer, { items, size }: Envelope, event: EnvelopeItem) {
  // The rest of an envelope, such as blank lines, would be inflated at each read.
  const isCompact = items.length === 1 && size < event.size + 65_536

  return isCompact && encodingOf(body) ? body : zstdCompressSync(event.payload)
}

/** Packs an event that was changed, such as by scrubbing. */
export function packEvent(event: Record<string, unknown>) {
  return zstdCompressSync(encodeEvent(event))
}

/** The event's JSON text. */
export function unpackPayload(stored: Buffer) {
  const bytes = encodingOf(stored) === 'zstd' ? zstdDecompressSync(stored) : inflate(stored, encodingOf(stored) ?? '', maxInflated)
  const text = bytes.toString('utf8')

  // An envelope consists of several JSON values, an event is one.
  return isJson(text) ? text : splitEnvelope(bytes).items[0]!.payload.toString('utf8')
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
