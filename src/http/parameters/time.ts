import { BadParameter } from '../problems/problems.ts'

/** A moment as the API tells it, from one as the database does. */
export function writeTime(time: string) {
  // As Postgres mostly tells it, in UTC and to the microsecond, it is only longer. A page holds sixty of them.
  if (time[19] === '.' && time.length >= 29 && time.endsWith('+00:00')) return `${time.slice(0, 23)}Z`

  return new Date(time).toISOString()
}

/** A moment as clients write it: with a time, or a date alone, which is its beginning. */
export function readTime(name: string, text: string | undefined) {
  if (!text) return undefined
  const time = /^\d{4}-\d\d-\d\d($|[T ])/.test(text) ? new Date(text) : undefined

  if (!time || Number.isNaN(time.getTime())) throw new BadParameter(`${name} is invalid`)

  return time
}
