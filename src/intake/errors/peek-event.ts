import { constants, gunzipSync } from 'node:zlib'
import { parseEventId } from '#errors/parse/envelope.ts'
import { maxEventBytes } from '#errors/parse/envelope-limits.ts'
import { parseHeader } from '#errors/parse/envelope-parser.ts'
import { encodingOf } from '#lib/inflate.ts'
import { type EnvelopeSummary, readDsn } from './validate-envelope.ts'

/** Compressed bytes that hold both header lines. Inflating a body under twice this size in full costs no more. */
const peekBytes = 512
const newline = 0x0a

/**
 * Fast path of `validateEnvelope`: reads the id of the only event in a gzipped envelope from its first lines. When the
 * headers and the size at the end of gzip (RFC 1952 §2.3.1) add up to exactly one event, the envelope holds nothing else.
 * Undefined for any other envelope, which needs full validation.
 */
export function peekEvent(body: Buffer, encoding: string): EnvelopeSummary | undefined {
  if (!/^(x-)?gzip$/i.test(encoding) || encodingOf(body) !== 'gzip' || body.length < 2 * peekBytes) return undefined
  const start = inflateStart(body)
  const headerEnd = start?.indexOf(newline) ?? -1
  const itemHeaderEnd = headerEnd === -1 ? -1 : start!.indexOf(newline, headerEnd + 1)

  if (itemHeaderEnd === -1) return undefined
  const header = parseHeader(start!.subarray(0, headerEnd), 'envelope header')
  const { type, length } = parseHeader(start!.subarray(headerEnd + 1, itemHeaderEnd), 'item header')
  const rest = body.readUInt32LE(body.length - 4) - itemHeaderEnd - 1 - Number(length)
  const isOneEvent = type === 'event' && Number(length) <= maxEventBytes && (rest === 0 || rest === 1)
  const eventId = isOneEvent ? parseEventId(header.event_id) : undefined

  return eventId ? { events: 1, hasOthers: false, unsupported: [], eventId, dsn: readDsn(header.dsn) } : undefined
}

function inflateStart(body: Buffer) {
  try {
    return gunzipSync(body.subarray(0, peekBytes), { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 2048, maxOutputLength: 65_536 })
  } catch {
    return undefined
  }
}
