import { parseTime } from '../../lib/time.ts'

const dateOnly = /^\d{4}-\d\d-\d\d$/
/** As mail and HTTP write it (RFC 5322, RFC 9110), with its zone. */
const worded = /^[a-z]{3},? .*(GMT|UTC|[+-]\d{4})$/i
const end = Date.UTC(10_000)

/** A moment as RFC 3339 has it, or counted from 1970. What programs send for "never", the year 1 or nought, is none. */
export function parseAlertTime(given: unknown) {
  const time = toTime(given)

  return time > 0 && time < end ? new Date(time) : undefined
}

function toTime(given: unknown) {
  if (typeof given !== 'string') return parseTime(given)
  const text = given.trim()

  if (text.length > 40) return Number.NaN
  if (dateOnly.test(text) || worded.test(text)) return Date.parse(text)

  return parseTime(text)
}
