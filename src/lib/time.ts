const timestamp = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(?:(Z|UTC)|([+-])(\d\d):?(\d\d)?)?$/i

/** RFC 3339, or seconds (fractions of them too) since 1970; NaN for anything else, and for dates that do not exist. */
export function parseTime(given: unknown) {
  if (typeof given === 'number') return ofNumber(given)
  if (typeof given !== 'string' || given.length > 40) return Number.NaN
  const parts = timestamp.exec(given.trim())

  if (parts) return ofParts(parts)

  return /^\d{9,19}(\.\d+)?$/.test(given) ? ofNumber(Number(given)) : Number.NaN
}

// Seconds as the protocol has it; some count in milliseconds, micro- or nanoseconds.
function ofNumber(given: number) {
  if (given < 1e11) return given * 1000
  if (given < 1e14) return given

  return given < 1e17 ? given / 1000 : given / 1_000_000
}

/** A time without a zone is UTC: so the protocol has it, and so old clients wrote it. */
function ofParts(parts: RegExpExecArray) {
  const [year, month, day, hour, minutes, seconds] = parts.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offset = (Number(parts[10] ?? 0) * 60 + Number(parts[11] ?? 0)) * (parts[9] === '-' ? -1 : 1)

  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)

  // A leap second becomes the next second.
  if (!isDate || hour > 23 || minutes > 59 || seconds > 60) return Number.NaN

  return Date.UTC(year, month - 1, day, hour, minutes - offset, seconds, milliseconds)
}

function daysIn(year: number, month: number) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i
const year1 = Date.parse('0001-01-01')
const year10000 = Date.UTC(10_000)

/** A date or a date with time (RFC 3339), in UTC without a zone. Undefined when it does not exist, or Postgres cannot store it. */
export function parseIsoTime(text: string) {
  const [, day, clock = '00:00', zone = 'Z'] = isoTime.exec(text) ?? []

  // The 29th of February of other years would become the 1st of March.
  if (!day || !exists(day)) return undefined
  const time = new Date(`${day}T${clock}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`.toUpperCase())

  return time.getTime() >= year1 && time.getTime() < year10000 ? time : undefined
}

function exists(day: string) {
  const time = new Date(day)

  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

/** Formats a timestamp of the database, or of its JSON, as ISO 8601 with milliseconds. */
export function writeTime(time: Date | string) {
  return new Date(time).toISOString()
}

/** The start of a date, or the time of a date with time. */
export function toTime(text: string | undefined) {
  return text ? parseIsoTime(text) : undefined
}

/** The day of a date, null when it is to be removed. */
export function toDay(text: string | null | undefined) {
  return text === undefined ? undefined : text?.slice(0, 10) || null
}
