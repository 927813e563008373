import { parseIsoTime } from '#lib/time.ts'
import { fromLocalTime } from '#lib/zoned-time.ts'

/** As in the address of the page. */
export interface TimeRange {
  from: string
  to: string
}

/** In UTC, so that the address of a page means the same to every user; a text that is no time stays as it is. */
export function readTime(text: string, zone: string) {
  const time = fromLocalTime(text.trim(), zone)

  return time ? `${time.toISOString().slice(0, 16)}Z` : text
}

/** Whether the address has times in other forms. */
export function isOtherForm(given: unknown, { from, to }: TimeRange) {
  const { from: givenFrom = '', to: givenTo = '' } = given as Partial<TimeRange>

  return givenFrom !== from || givenTo !== to
}

/** Problems of the times, by field. */
export function timeProblems({ from, to }: TimeRange) {
  const problems: Partial<TimeRange> = {}

  if (!isTime(from)) problems.from = notATime(from)
  if (!isTime(to)) problems.to = notATime(to)
  if (from && to && isTime(from) && isTime(to) && from > to) problems.to = 'This is before the start of the range.'

  return problems
}

export function toTime(text: string) {
  return text ? new Date(text) : undefined
}

function isTime(text: string) {
  return text === '' || (/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(text) && parseIsoTime(text) !== undefined)
}

function notATime(text: string) {
  return `“${text}” is not a date and time such as 2026-11-23T03:15.`
}
