import { constants, gunzipSync } from 'node:zlib'
import { encodingOf } from '../../lib/inflate.ts'
import { parseEventId, readLine } from '../parse/envelope.ts'

/** Enough for the two lines of headers; below this size, all of it costs no more. */
const enough = 512
const newline = 0x0a

/**
 * The id of the one event in a gzipped envelope, from its first lines alone: when these and the size that gzip
 * tells at its end (RFC 1952 §2.3.1) add up to exactly one sized event, nothing else can be in it, and the
 * worker inflates it anyway. Nothing when anything is out of the usual; then all of it has to be looked over.
 */
export function peekEventId(body: Buffer, largest: number) {
  if (encodingOf(body) !== 'gzip' || body.length < 2 * enough) return undefined
  const start = inflateStart(body)
  const endOfHeader = start?.indexOf(newline) ?? -1
  const endOfItemHeader = endOfHeader === -1 ? -1 : start!.indexOf(newline, endOfHeader + 1)

  if (endOfItemHeader === -1) return undefined
  const [header] = readLine(start!, 0, 'envelope header')
  const [{ type, length }, payloadStart] = readLine(start!, endOfHeader + 1, 'item header')
  const left = body.readUInt32LE(body.length - 4) - payloadStart - Number(length)

  return type === 'event' && Number(length) <= largest && (left === 0 || left === 1) ? parseEventId(header.event_id) : undefined
}

function inflateStart(body: Buffer) {
  try {
    return gunzipSync(body.subarray(0, enough), { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 2048, maxOutputLength: 65_536 })
  } catch {
    return undefined
  }
}
