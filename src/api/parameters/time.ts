import Type from 'typebox'
import { parseIsoTime } from '#lib/time.ts'
import { Nullable } from './nullable.ts'

/** Formats a timestamp of the database, or of its JSON, as ISO 8601 with milliseconds. */
export function writeTime(time: Date | string) {
  return new Date(time).toISOString()
}

/** A date, or a date with time (RFC 3339), that exists in the calendar. Empty counts as missing. */
export function Time(description?: string) {
  return Type.Refine(Type.String({ description, 'x-time': true }), text => text === '' || parseIsoTime(text) !== undefined)
}

/** The start of a date, or the time of a date with time. */
export function toTime(text: string | undefined) {
  return text ? parseIsoTime(text) : undefined
}

/** A day that can be removed. */
export const Day = Type.Optional(Nullable(Time('Such as 2030-12-31; empty for none.')))

/** The day of a date, null when it is to be removed. */
export function toDay(text: string | null | undefined) {
  return text === undefined ? undefined : text?.slice(0, 10) || null
}
