import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { deepFreeze, type Json, listOrEmpty, parseJson } from '#lib/json.ts'
import { isTooDeep } from '#lib/json-depth.ts'
import { memoizeTraces } from '../grouping/frames.ts'
import { memoizeFrames } from '../normalise/frames.ts'

/** The key and the start of its value, or the end of a longer key, which `isKey` excludes. */
const listStart = '"frames":['
/** The end of the last frame, of the list, and of the stack trace. Lists that end otherwise are not cached. */
const listEnd = '}]}'
const minBytes = 512
const maxBytes = 65_536
const maxLists = 20
const maxCachedBytes = 4 << 20
const maxCandidates = 8192

interface CachedList {
  bytes: Buffer
  frames: readonly unknown[]
}

/** JSON text with placeholders for the lists that were cut out. */
export interface CutEvent {
  text: string
  /** Puts the lists back into the parsed text. */
  restore: (event: Json) => Json
}

/**
 * Caches parsed lists of frames by their bytes: recurring stack traces are most of an event's JSON. Cached lists are
 * frozen, because events share them; normalising, scrubbing and grouping memoize their results by list.
 */
export class FrameCache {
  #lists = new LRUCache<number, CachedList>({ maxSize: maxCachedBytes, sizeCalculation: ({ bytes }) => bytes.length })
  /** Checksums of lists that occurred once. A list is cached when it recurs: lists with local variables rarely do. */
  #candidates = new LRUCache<number, true>({ max: maxCandidates })
  #placeholder = `frames ${randomUUID()} `
  readonly normaliseFrames = memoizeFrames()
  readonly readTrace = memoizeTraces()

  /** Cuts cached lists out of an event's JSON; undefined when there are none. */
  cut(body: Buffer): CutEvent | undefined {
    const lists: (readonly unknown[])[] = []
    let text = ''
    let from = 0

    for (let at = body.indexOf(listStart); at !== -1 && lists.length < maxLists; at = body.indexOf(listStart, Math.max(at + 1, from))) {
      const start = at + listStart.length - 1
      const list = isWholeKey(body, at) ? this.#find(body, start) : undefined

      if (!list) continue
      text += `${body.toString('utf8', from, start)}"${this.#placeholder}${lists.length}"`
      from = start + list.bytes.length
      lists.push(list.frames)
    }

    return lists.length === 0 ? undefined : { text: text + body.toString('utf8', from), restore: event => this.#restore(event, lists) }
  }

  #find(body: Buffer, start: number) {
    const end = body.indexOf(listEnd, start) + 2

    if (end - start < minBytes || end - start > maxBytes) return undefined
    const bytes = body.subarray(start, end)
    const key = crc32(bytes)
    const cached = this.#lists.get(key)

    if (cached?.bytes.equals(bytes)) return cached
    if (this.#candidates.has(key)) return this.#add(key, bytes)
    this.#candidates.set(key, true)

    return undefined
  }

  #add(key: number, bytes: Buffer) {
    const frames = parseList(bytes.toString('utf8'))

    if (!frames) return undefined
    // Copied, because a slice would hold the whole body in memory.
    const list = { bytes: Buffer.from(bytes), frames: deepFreeze(frames) }

    this.#lists.set(key, list)

    return list
  }

  #restore<Value extends object>(holder: Value, lists: (readonly unknown[])[]) {
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'object' && value !== null) this.#restore(value, lists)
      else if (typeof value === 'string' && value.startsWith(this.#placeholder)) {
        ;(holder as Json)[key] = lists[Number(value.slice(this.#placeholder.length))]
      }
    }

    return holder
  }
}

/** False for the end of a key with an escaped quote: `"\"frames":[`. */
function isWholeKey(body: Buffer, at: number) {
  const previous = String.fromCharCode(body[at - 1] ?? 0)

  return previous === ',' || previous === '{'
}

/** Undefined when the list ends elsewhere, or when its text would have to be repaired for Postgres. */
function parseList(text: string) {
  if (text.includes('\\u') || isTooDeep(text, 20)) return undefined

  try {
    return listOrEmpty(parseJson(text))
  } catch {
    return undefined
  }
}
