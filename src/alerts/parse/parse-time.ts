import { parseTime } from '../../lib/time.ts'

const dateOnly = /^\d{4}-\d\d-\d\d$/
/** RFC 5322 and RFC 9110, with a time zone. */
const mailDate = /^[a-z]{3},? .*(GMT|UTC|[+-]\d{4})$/i
const year10000 = Date.UTC(10_000)

/** RFC 3339, mail dates, or Unix time. Undefined for placeholders that tools send for "never": the year 1, and 0. */
export function parseAlertTime(value: unknown) {
  const time = parseMilliseconds(value)

  return time > 0 && time < year10000 ? new Date(time) : undefined
}

function parseMilliseconds(value: unknown) {
  if (typeof value !== 'string') return parseTime(value)
  const text = value.trim()

  if (text.length > 40) return Number.NaN
  if (dateOnly.test(text) || mailDate.test(text)) return Date.parse(text)

  return parseTime(text)
}
