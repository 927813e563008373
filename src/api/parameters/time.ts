import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { parseIsoTime } from '#lib/time.ts'

/** A date, or a date with time (RFC 3339), that exists in the calendar. Empty counts as missing. */
export function Time(description?: string) {
  return Type.Refine(Type.String({ description, 'x-time': true }), text => text === '' || parseIsoTime(text) !== undefined)
}

/** A day that can be removed. */
export const Day = Type.Optional(Nullable(Time('Such as 2030-12-31; empty for none.')))
