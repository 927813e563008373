import { type Json, textOrUndefined } from '#lib/json.ts'
import { storableText } from '#lib/storable-text.ts'

interface Limits {
  /** Levels of objects and lists. */
  depth: number
  /** Characters of one string. */
  text: number
  /** Characters of the value. */
  total: number
}

const ellipsis = '…'
const omittedNote = /^…\[\d+ more\]$/

/** Truncates text and notes how much is missing; the result, with the note, is never longer than `maxLength`. */
export function truncateText(text: string, maxLength: number) {
  return text.length <= maxLength ? storableText(text) : truncateWithNote(text, maxLength)
}

/** Text without line breaks and surrounding white space; undefined for an empty one. */
export function singleLine(value: unknown, maxLength = 200) {
  const text = textOrUndefined(value)?.trim()

  if (!text) return undefined
  const line = /[\r\n\t]/.test(text) ? text.replace(/[\r\n\t]/g, ' ') : text

  if (line.length <= maxLength) return line
  const start = line.slice(0, maxLength - 1).trimEnd()

  return `${start.toWellFormed()}${ellipsis}`
}

/**
 * Truncates a value: long text is cut, values nested too deeply become their size, and members beyond the total are
 * omitted with a note of their number. Idempotent.
 */
export function truncateTree(value: unknown, limits: Limits) {
  return truncate(value, limits, limits.depth, { left: limits.total })
}

function truncateWithNote(text: string, maxLength: number) {
  // Leaves room for the note.
  const length = Math.max(0, maxLength - 32)

  return `${storableText(text.slice(0, length))} …[${text.length - length} more characters]`
}

interface Budget {
  left: number
}

function truncate(value: unknown, limits: Limits, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return spendText(value, limits, budget)
  if (typeof value !== 'object' || value === null) return spendScalar(value, budget)
  if (depth === 0) return spendText(Array.isArray(value) ? `[…${value.length}]` : `{…${Object.keys(value).length}}`, limits, budget)
  budget.left -= 2

  return Array.isArray(value) ? truncateList(value, limits, depth - 1, budget) : truncateObject(value as Json, limits, depth - 1, budget)
}

function spendText(text: string, limits: Limits, budget: Budget) {
  const truncated = truncateText(text, limits.text)

  budget.left -= truncated.length + 2

  return truncated
}

function spendScalar(value: unknown, budget: Budget) {
  budget.left -= typeof value === 'number' ? 24 : 5

  return value
}

function truncateList(list: unknown[], limits: Limits, depth: number, budget: Budget) {
  const result: unknown[] = []

  for (const member of list) {
    const isNote = result.length === list.length - 1 && isOmittedNote(member)

    if (budget.left <= 0 && !isNote) {
      result.push(noteOmitted(list.length - result.length))
      break
    }
    result.push(isNote ? member : truncate(member, limits, depth, budget))
  }

  return result
}

function truncateObject(object: Json, limits: Limits, depth: number, budget: Budget) {
  const result: Json = {}
  let omitted = 0

  for (const key in object) {
    if (key === '__proto__') continue
    const isNote = key === ellipsis && isOmittedNote(object[key])

    if (isNote) result[ellipsis] = object[key]
    else if (budget.left <= 0) omitted++
    else {
      const name = truncateText(key, 200)

      budget.left -= name.length + 4
      result[name] = truncate(object[key], limits, depth, budget)
    }
  }
  if (omitted > 0) result[ellipsis] = noteOmitted(omitted)

  return result
}

function noteOmitted(members: number) {
  return `${ellipsis}[${members} more]`
}

function isOmittedNote(value: unknown) {
  return typeof value === 'string' && value.length < 30 && omittedNote.test(value)
}
