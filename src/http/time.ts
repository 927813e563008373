import { BadParameter } from './problems.ts'

/** A moment as the API tells it, from one as the database does. */
export function writeTime(time: string) {
  return new Date(time).toISOString()
}

/** A moment as clients write it: with a time, or a date alone, which is its beginning. */
export function readTime(name: string, text: string | undefined) {
  if (!text) return undefined
  const time = /^\d{4}-\d\d-\d\d($|[T ])/.test(text) ? new Date(text) : undefined

  if (!time || Number.isNaN(time.getTime())) throw new BadParameter(`${name} is invalid`)

  return time
}
