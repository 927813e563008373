import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { encodingOf, inflate } from '../../lib/inflate.ts'
import { encodeEvent } from '../normalise/encode.ts'
import { type EnvelopeItem, splitEnvelope } from '../parse/envelope.ts'

/** What is stored is never larger than this once inflated. */
const most = 200 << 20

/**
 * What is stored of an event: the bytes as they came, when they hold nothing else and are compressed
 * already (inflating again costs less than compressing), or else the event alone, compressed.
 */
export function packPayload(body: Buffer, items: EnvelopeItem[], event: EnvelopeItem) {
  return items.length === 1 && encodingOf(body) ? body : zstdCompressSync(event.payload)
}

/** An event that is not stored as it came. */
export function packEvent(event: Record<string, unknown>) {
  return zstdCompressSync(encodeEvent(event))
}

/** The event's JSON text, out of either. */
export async function unpackPayload(stored: Buffer) {
  const bytes = encodingOf(stored) === 'zstd' ? zstdDecompressSync(stored) : await inflate(stored, encodingOf(stored) ?? '', most)
  const text = bytes.toString('utf8')

  // An envelope is several JSON values, an event alone is one.
  return isOneValue(text) ? text : splitEnvelope(bytes).items[0]!.payload.toString('utf8')
}

function isOneValue(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
