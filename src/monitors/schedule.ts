import { CronExpressionParser } from 'cron-parser'
import { isObject } from '#lib/json.ts'

const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

/** When a job is expected to run. */
export type Schedule =
  | { type: 'crontab'; value: string }
  /** So long after the run before. */
  | { type: 'interval'; value: number; unit: (typeof units)[number] }

const maxInterval = 10_000
const maxLength = 100

/** A schedule as SDKs send it; undefined when it is none. */
export function readSchedule(given: unknown): Schedule | undefined {
  if (!isObject(given)) return undefined
  const { type, value, unit } = given
  const known = units.find(one => one === unit)

  if (type === 'interval' && known && Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxInterval) {
    return { type, value: Number(value), unit: known }
  }

  return type === 'crontab' && typeof value === 'string' && isCrontab(value) ? { type, value: value.trim() } : undefined
}

/** Five fields, or a name such as `@daily`. */
export function isCrontab(text: string) {
  if (text.length > maxLength || !/^\s*(?:@[a-z]+|\S+(?:\s+\S+){4})\s*$/.test(text)) return false

  try {
    CronExpressionParser.parse(text.trim()).next()

    return true
  } catch {
    return false
  }
}

/** The first run that is expected after a time. */
export function nextRun(schedule: Schedule, timezone: string, after: Date): Date {
  if (schedule.type === 'interval') return add(after, schedule)

  return CronExpressionParser.parse(schedule.value, { currentDate: after, tz: timezone }).next().toDate()
}

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

function add(from: Date, { value, unit }: Extract<Schedule, { type: 'interval' }>) {
  if (unit !== 'month' && unit !== 'year') return new Date(from.getTime() + value * lengths[unit])
  const months = unit === 'year' ? 12 * value : value
  const to = new Date(from)

  to.setUTCMonth(to.getUTCMonth() + months)
  // From January 31, a month leads to the last day of February.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)

  return to
}
