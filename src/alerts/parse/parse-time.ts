import { parseTime } from '#lib/time.ts'
import { isPresent } from './mapping.ts'

const maxLength = 80
/** `2026-11-21`, `2026/11/21` and `2026.11.21`, alone or before a time of day. */
const separated = /^(\d{4})[-/.](\d\d)[-/.](\d\d)(?=$|[T ])/i
/** ISO 8601 without separators: `20261121`, `20261121T100000Z`. */
const basic = /^(\d{4})(\d\d)(\d\d)(?:[T ](\d\d)(\d\d)(\d\d)?)?(?=$|[Z.,+ -])/i
/** RFC 5322 and RFC 9110, with or without a weekday: `Sat, 21 Nov 2026 10:00:00 GMT`; and the text of a JavaScript Date. */
const named =
  /^(?:[a-z]{3},? )?(?:(\d{1,2}) ([a-z]{3})|([a-z]{3}) (\d{1,2})) (\d{4}) (\d\d:\d\d(?::\d\d)?)(?: (?:GMT|UTC?|Z)?([+-]\d{4})?)?(?: \([^)]*\))?$/i
const dateOnly = /^\d{4}-\d\d-\d\d$/
/** Sent for "never", where the type has no other empty value. */
const placeholder = /^(?:0000|0001-01-01)/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const year10000 = Date.UTC(10_000)

/** Undefined for what is not a time, for dates that do not exist, and for placeholders: the year 1, and 0. */
export function parseAlertTime(value: unknown) {
  const time = parseMilliseconds(value)

  return time > 0 && time < year10000 ? new Date(time) : undefined
}

/** When an alert ended: at its receipt if the time is unreadable; undefined when the value is empty or a placeholder. */
export function parseEndTime(value: unknown, receivedAt: Date) {
  return isNever(value) ? undefined : (parseAlertTime(value) ?? receivedAt)
}

function isNever(value: unknown) {
  return (
    !isPresent(value) || value === false || placeholder.test(String(value).trim()) || Number(value) <= 0 || parseMilliseconds(value) <= 0
  )
}

function parseMilliseconds(value: unknown) {
  if (typeof value !== 'string') return parseTime(value)
  const text = value.trim()

  return text.length <= maxLength ? parseTime(toRfc3339(text)) : Number.NaN
}

/** Texts in other formats stay as they are. */
function toRfc3339(text: string) {
  const date = named.test(text) ? fromNamed(text) : text.replace(basic, fromBasic).replace(separated, '$1-$2-$3')

  return dateOnly.test(date) ? `${date}T00:00Z` : date
}

function fromBasic(_text: string, ...[year, month, day, hour, minutes, seconds = '00']: string[]) {
  return `${year}-${month}-${day}${hour ? `T${hour}:${minutes}:${seconds}` : ''}`
}

function fromNamed(text: string) {
  const [, dayFirst, monthSecond, monthFirst, daySecond, year, clock, offset = 'Z'] = named.exec(text)!
  const month = months.indexOf((monthSecond ?? monthFirst)!.toLowerCase()) + 1
  const twoDigits = (part: string | number) => String(part).padStart(2, '0')

  return `${year}-${twoDigits(month)}-${twoDigits((dayFirst ?? daySecond)!)}T${clock}${offset}`
}
