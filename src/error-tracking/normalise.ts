export interface Frame {
  module?: string
  filename?: string
  function?: string
  isInApp: boolean
}

/** What grouping and searching need to know of an event, whatever shape its SDK gave it. */
export interface Occurrence {
  type?: string
  value: string
  message: string
  frames: Frame[]
  transaction?: string
  level: string
  platform?: string
  environment?: string
  release?: string
  occurredAt: Date
}

type Json = Record<string, unknown>

const levels = new Set(['fatal', 'error', 'warning', 'info', 'debug'])
const minute = 60_000
const month = 30 * 24 * 60 * minute

/** Reads an event; everything in it is optional and may be of any type. */
export function normalise(event: Json, receivedAt: Date): Occurrence {
  const exception = lastException(event.exception)
  const stacktrace = asObject(exception?.stacktrace) ?? asObject(event.stacktrace)
  const level = asText(event.level) ?? 'error'

  return {
    type: asText(exception?.type),
    value: asText(exception?.value) ?? '',
    message: readMessage(event.message) || readMessage(event.logentry),
    frames: asList(stacktrace?.frames).map(readFrame),
    transaction: asText(event.transaction) ?? asText(event.culprit),
    level: levels.has(level) ? level : 'error',
    platform: asText(event.platform),
    environment: asText(event.environment),
    release: asText(event.release),
    occurredAt: readTime(event.timestamp, receivedAt)
  }
}

// Chained exceptions come outermost last; that is the one people name.
function lastException(given: unknown) {
  const values = Array.isArray(given) ? given : (asObject(given)?.values ?? given)
  const list = Array.isArray(values) ? values : [values]

  return asObject(list.findLast(asObject))
}

function readFrame(given: unknown): Frame {
  const frame = asObject(given) ?? {}

  return {
    module: asText(frame.module),
    filename: asText(frame.filename) ?? asText(frame.abs_path),
    function: asText(frame.function),
    isInApp: frame.in_app === true
  }
}

function readMessage(given: unknown) {
  const message = asObject(given)

  return asText(given) ?? asText(message?.message) ?? asText(message?.formatted) ?? ''
}

// Clocks drift: a time that cannot be is replaced by that of arrival.
function readTime(given: unknown, receivedAt: Date) {
  const time = typeof given === 'number' ? new Date(given * 1000) : new Date(asText(given) ?? Number.NaN)
  const ahead = time.getTime() - receivedAt.getTime()

  return ahead <= minute && ahead >= -month ? time : receivedAt
}

function asText(given: unknown) {
  if (typeof given === 'number') return String(given)
  if (typeof given !== 'string' || given === '') return undefined

  // Postgres takes neither null bytes nor half of a surrogate pair.
  return given.includes('\0') || !given.isWellFormed() ? given.replaceAll('\0', '').toWellFormed() : given
}

function asObject(given: unknown) {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Json) : undefined
}

function asList(given: unknown) {
  return Array.isArray(given) ? given : []
}
