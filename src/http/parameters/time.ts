import { BadParameter } from '../problems/problems.ts'

/** Formats a timestamp of the database as ISO 8601 with milliseconds. */
export function writeTime(time: string) {
  return new Date(time).toISOString()
}

/** Parses a date or a date with time; a date alone means its start. */
export function readTime(name: string, text: string | undefined) {
  if (!text) return undefined
  const time = /^\d{4}-\d\d-\d\d($|[T ])/.test(text) ? new Date(text) : undefined

  if (!time || Number.isNaN(time.getTime())) throw new BadParameter(`${name} is invalid`)

  return time
}
