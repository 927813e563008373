import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { encodingOf, inflate } from '../../lib/inflate.ts'
import { encodeEvent } from '../normalise/encode.ts'
import { splitEnvelope } from '../parse/envelope.ts'

/** Upper bound of a stored payload once inflated. Older ones may have this much. */
const maxInflated = 200 << 20

/** The payload to store for an event that was normalised and scrubbed. */
export function packEvent(event: Record<string, unknown>) {
  return zstdCompressSync(encodeEvent(event))
}

/** The event's JSON text. */
export function unpackPayload(stored: Buffer) {
  const bytes = encodingOf(stored) === 'zstd' ? zstdDecompressSync(stored) : inflate(stored, encodingOf(stored) ?? '', maxInflated)
  const text = bytes.toString('utf8')

  // Before events were normalised, they were stored in the envelope as received: several JSON values instead of one.
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
