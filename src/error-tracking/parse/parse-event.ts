import { isTooDeep, truncateDepth } from '../../lib/json-depth.ts'
import { makeStorable, mayBeUnstorable } from '../../lib/storable-text.ts'
import { maxEventBytes } from '../ingest/envelope-limits.ts'
import { cutKnownFrames, putFramesBack } from './known-frames.ts'
import { replaceNonNumbers } from './non-numbers.ts'
import { decodeStoreBody } from './store-body.ts'

const byteOrderMark = 0xfeff

/**
 * Reads an event as any client ever wrote it: JSON, or what the store endpoint takes besides (base64, also of zlib,
 * of at most `limit` bytes inflated). Nothing when it is no JSON object. Whatever it returns nests less than 200 deep
 * and holds text that Postgres takes.
 */
export function parseEvent(payload: Buffer, limit = maxEventBytes): Record<string, unknown> | undefined {
  const body = decodeStoreBody(payload, limit)

  return body && (parseShort(body) ?? parseWhole(body))
}

/** The usual case: an event with frames that are known already, and nothing to mend. */
function parseShort(body: Buffer) {
  const cut = cutKnownFrames(body)

  if (!cut || isTooDeep(cut.text) || mayBeUnstorable(cut.text)) return undefined
  const event = parseObject(cut.text)

  return event && putFramesBack(event, cut.frames) ? event : undefined
}

function parseWhole(body: Buffer) {
  const whole = textOf(body)
  const text = isTooDeep(whole) ? truncateDepth(whole) : whole
  const event = parseObject(text) ?? parseAgain(text)

  return event && mayBeUnstorable(text) ? (makeStorable(event) as Record<string, unknown>) : event
}

function textOf(body: Buffer) {
  const text = body.toString('utf8')

  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

/** Old clients write numbers that JSON does not know, and bytes that it does not allow. */
function parseAgain(text: string) {
  const repaired = replaceNonNumbers(text.replaceAll('\0', ''))

  return repaired === text ? undefined : parseObject(repaired)
}

function parseObject(text: string) {
  try {
    const value = JSON.parse(text)

    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
