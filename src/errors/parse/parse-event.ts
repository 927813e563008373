import { isObject, type Json, parseJson } from '#lib/json.ts'
import { endOfString, isTooDeep, truncateDepth } from '#lib/json-depth.ts'
import { makeStorable, mayBeUnstorable } from '#lib/storable-text.ts'
import { maxEventBytes } from './envelope-limits.ts'
import type { FrameCache } from './frame-cache.ts'
import { decodeStoreBody } from './store-body.ts'

interface Options {
  maxInflated?: number
  frameCache?: FrameCache | undefined
}

const byteOrderMark = 0xfeff

/**
 * Parses an event as any client sends it: JSON, or base64 and zlib of it as the store endpoint accepts. Undefined when it
 * is not a JSON object. The result is at most 200 levels deep and contains only text that Postgres can store.
 */
export function parseEvent(payload: Buffer, { maxInflated = maxEventBytes, frameCache }: Options = {}): Json | undefined {
  const body = decodeStoreBody(payload, maxInflated)

  return body && (parseWithCache(body, frameCache) ?? parseBody(body))
}

function parseWithCache(body: Buffer, frameCache: FrameCache | undefined) {
  const cut = frameCache?.cut(body)

  if (!cut || isTooDeep(cut.text) || mayBeUnstorable(cut.text)) return undefined
  const event = parseObject(cut.text)

  return event && cut.restore(event)
}

function parseBody(body: Buffer) {
  const decoded = decodeText(body)
  const text = isTooDeep(decoded) ? truncateDepth(decoded) : decoded
  const event = parseObject(text) ?? parseRepaired(text)

  return event && mayBeUnstorable(text) ? (makeStorable(event) as Json) : event
}

function decodeText(body: Buffer) {
  const text = body.toString('utf8')

  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

/** Old clients write NaN, Infinity and NUL bytes, which JSON does not allow. */
function parseRepaired(text: string) {
  const repaired = replaceNonNumbers(text.replaceAll('\0', ''))

  return repaired === text ? undefined : parseObject(repaired)
}

function parseObject(text: string) {
  try {
    const value = parseJson(text)

    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const token = /-?\b(?:NaN|Infinity)\b/g

/** Replaces NaN and Infinity outside of strings, which Python's json module writes, by null. */
function replaceNonNumbers(text: string) {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text
  const pieces: string[] = []

  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from)
    const start = quote === -1 ? text.length : quote
    const end = quote === -1 ? text.length : endOfString(text, quote) + 1

    pieces.push(text.slice(from, start).replace(token, 'null'), text.slice(start, end))
    from = end
  }

  return pieces.join('')
}
