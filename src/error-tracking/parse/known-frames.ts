import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { endOfString } from '../../lib/json-depth.ts'
import { share } from './shared-values.ts'

type Json = Record<string, unknown>

/** In valid JSON this is a member's name and the beginning of its value, unless the name begins before it. */
const opening = '"frames":['
/** What most lists of frames end with: the last frame, the list, the stack trace. */
const likelyEnd = '}]}'
/** What is shorter is read as fast. */
const shortest = 512
const longest = 65_536
/** Of the last bytes, where the innermost frames are, a checksum is made. */
const telling = 1024
const deepest = 20
const mostBytes = 4 << 20
const mostSeen = 8192
const mostCuts = 20

/** Stands for frames that were cut out; nobody can guess it. */
const mark = `frames ${randomUUID()} `

interface Known {
  bytes: Buffer
  frames: readonly unknown[]
}

/** An event without the frames that are known already. */
export interface Cut {
  text: string
  frames: (readonly unknown[])[]
}

/**
 * Programs fail in the same few places again and again: their frames, which are most of an event, are recognised by their
 * bytes and neither read nor looked at a second time. They are frozen, as events share them.
 */
const known = new Map<number, Known>()
/** What came once; it is worth remembering when it comes again. */
const seen = new Set<number>()
let bytesKnown = 0

/** Takes known frames out of an event's JSON; nothing when there are none. */
export function cutKnownFrames(body: Buffer): Cut | undefined {
  const frames: (readonly unknown[])[] = []
  let text = ''
  let from = 0

  for (let at = body.indexOf(opening); at !== -1 && frames.length < mostCuts; at = body.indexOf(opening, Math.max(at + 1, from))) {
    const start = at + opening.length - 1
    const found = isName(body, at) ? recognise(body, start) : undefined

    if (!found) continue
    text += `${body.toString('utf8', from, start)}"${mark}${frames.length}"`
    from = start + found.bytes.length
    frames.push(found.frames)
  }

  return frames.length > 0 ? { text: text + body.toString('utf8', from), frames } : undefined
}

const holders = ['exception', 'threads', 'stacktrace', 'sentry.interfaces.Exception', 'sentry.interfaces.Stacktrace']

/** Puts them back where events have stack traces. False when not all of them were there. */
export function putFramesBack(event: Json, frames: Cut['frames']) {
  const left = new Set(frames.keys())

  for (const name of holders) putBack(event[name], frames, left, 0)

  return left.size === 0
}

function putBack(holder: unknown, frames: Cut['frames'], left: Set<number>, depth: number) {
  if (typeof holder !== 'object' || holder === null || depth > 5) return
  for (const key in holder) {
    const value = (holder as Json)[key]

    if (typeof value === 'object') putBack(value, frames, left, depth + 1)
    else if (typeof value === 'string' && value.startsWith(mark)) {
      const number = Number(value.slice(mark.length))

      ;(holder as Json)[key] = frames[number]
      left.delete(number)
    }
  }
}

/** A name that begins before its quote was escaped: `"\"frames":[`. */
function isName(body: Buffer, at: number) {
  return body[at - 1] === comma || body[at - 1] === brace
}

function recognise(body: Buffer, start: number) {
  const likely = body.indexOf(likelyEnd, start)

  if (likely - start < shortest || likely - start > longest) return undefined
  const key = crc32(body.subarray(Math.max(start, likely - telling), likely), likely - start)
  const found = known.get(key)

  if (found && body.compare(found.bytes, 0, found.bytes.length, start, Math.min(start + found.bytes.length, body.length)) === 0)
    return recently(key, found)
  if (found) forget(key, found)
  if (seen.has(key)) return learn(key, body, start)
  if (seen.size >= mostSeen) seen.clear()
  seen.add(key)

  return undefined
}

function recently(key: number, found: Known) {
  known.delete(key)
  known.set(key, found)

  return found
}

function learn(key: number, body: Buffer, start: number) {
  const bytes = wholeList(body, start)
  const frames = bytes && parseList(bytes)

  if (!frames) return undefined
  // A copy, as the body's memory is far larger.
  const found = { bytes: Buffer.from(bytes), frames: share(frames) }

  known.set(key, found)
  bytesKnown += bytes.length
  for (const [oldest, other] of known) {
    if (bytesKnown <= mostBytes) break
    forget(oldest, other)
  }

  return found
}

function forget(key: number, { bytes }: Known) {
  known.delete(key)
  bytesKnown -= bytes.length
}

const comma = 0x2c
const brace = 0x7b

/** From its opening bracket to its closing one. */
function wholeList(body: Buffer, start: number) {
  const text = body.toString('latin1', start, start + longest)
  let depth = 0

  for (let at = 0; at < text.length; at++) {
    const sign = text[at]

    if (sign === '"') at = endOfString(text, at)
    else if (sign === '[' || sign === '{') {
      if (++depth > deepest) return undefined
    } else if ((sign === ']' || sign === '}') && --depth === 0) return body.subarray(start, start + at + 1)
  }

  return undefined
}

/** Only what is read as it stands: escapes that Postgres would refuse are mended elsewhere. */
function parseList(bytes: Buffer) {
  try {
    const text = bytes.toString('utf8')
    const frames: unknown = text.includes('\\u') ? undefined : JSON.parse(text)

    return Array.isArray(frames) ? (frames as unknown[]) : undefined
  } catch {
    return undefined
  }
}
