import { memoize } from './memoize.ts'

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export const isTimeZone = memoize(
  (zone): boolean => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      return false
    }
  },
  { max: 1000 }
)
