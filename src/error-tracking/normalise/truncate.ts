import { storableText } from '../../lib/storable-text.ts'
import type { Json } from './json.ts'

interface Limits {
  /** Levels of objects and lists. */
  depth: number
  /** Characters of one string. */
  text: number
  /** Characters of all of it together. */
  total: number
}

const rest = '…'
const restNote = /^…\[\d+ more\]$/

/** The text, or its beginning and how much is missing; never longer than that in all. */
export function truncateText(text: string, length: number) {
  return text.length <= length ? storableText(text) : cutShort(text, length)
}

/** The same of text that is known to be storable as it is. */
export function truncateStorable(text: string, length: number) {
  return text.length <= length ? text : cutShort(text, length)
}

function cutShort(text: string, length: number) {
  // Room for the note however many digits the number has.
  const kept = Math.max(0, length - 32)

  return `${storableText(text.slice(0, kept))} …[${text.length - kept} more characters]`
}

/**
 * The value within limits: long text is cut, what lies too deep is only counted, and what is beyond the total is left
 * out with a note of how much. Cutting once more changes nothing.
 */
export function truncateTree(value: unknown, limits: Limits) {
  return cut(value, limits, limits.depth, { left: limits.total })
}

interface Room {
  left: number
}

function cut(value: unknown, limits: Limits, depth: number, room: Room): unknown {
  if (typeof value === 'string') return takeText(value, limits, room)
  if (typeof value !== 'object' || value === null) return takeScalar(value, room)
  if (depth === 0) return takeText(Array.isArray(value) ? `[…${value.length}]` : `{…${Object.keys(value).length}}`, limits, room)
  room.left -= 2

  return Array.isArray(value) ? cutList(value, limits, depth - 1, room) : cutObject(value as Json, limits, depth - 1, room)
}

function takeText(text: string, limits: Limits, room: Room) {
  const kept = truncateText(text, limits.text)

  room.left -= kept.length + 2

  return kept
}

function takeScalar(value: unknown, room: Room) {
  room.left -= typeof value === 'number' ? 24 : 5

  return value
}

function cutList(list: unknown[], limits: Limits, depth: number, room: Room) {
  const kept: unknown[] = []

  for (const member of list) {
    const isNote = kept.length === list.length - 1 && isRest(member)

    if (room.left <= 0 && !isNote) {
      kept.push(noteOf(list.length - kept.length))
      break
    }
    kept.push(isNote ? member : cut(member, limits, depth, room))
  }

  return kept
}

function cutObject(object: Json, limits: Limits, depth: number, room: Room) {
  const kept: Json = {}
  let missing = 0

  for (const key in object) {
    if (key === '__proto__') continue
    const isNote = key === rest && isRest(object[key])

    if (isNote) kept[rest] = object[key]
    else if (room.left <= 0) missing++
    else {
      const name = truncateText(key, 200)

      room.left -= name.length + 4
      kept[name] = cut(object[key], limits, depth, room)
    }
  }
  if (missing > 0) kept[rest] = noteOf(missing)

  return kept
}

function noteOf(missing: number) {
  return `${rest}[${missing} more]`
}

function isRest(value: unknown) {
  return typeof value === 'string' && value.length < 30 && restNote.test(value)
}
