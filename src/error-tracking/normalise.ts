import { mainException, modernise } from './normalise/event.ts'
import { asList, asName, asObject, asText, type Json } from './normalise/json.ts'
import { messageOf } from './normalise/message.ts'
import { allTags } from './normalise/tags.ts'
import { readTime } from './normalise/time.ts'
import { type AffectedUser, affectedUser } from './normalise/user.ts'

export interface Frame {
  module?: string
  filename?: string
  function?: string
  isInApp: boolean
  line?: number
  column?: number
  contextLine?: string
}

/** What grouping, searching and counting need to know of an event, whatever shape its SDK gave it. */
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
  user?: AffectedUser
  /** At most 50, what the event's other members tell included. */
  tags: Record<string, string>
  sdkName?: string
  /** All of it in today's shape, everything bounded: what there is to look at, and to store where the bytes as they came must not be. */
  event: Json
}

export interface Circumstances {
  /** What the envelope says of when it was sent, to tell a sender whose clock is wrong. */
  sentAt?: unknown
}

/** Reads an event; everything in it is optional and may be of any type. */
export function normalise(given: Json, receivedAt: Date, { sentAt }: Circumstances = {}): Occurrence {
  const event = modernise(given)
  const exception = mainException(event)
  const stacktrace = asObject(exception?.stacktrace) ?? asObject(event.stacktrace)

  return {
    type: asText(exception?.type),
    value: asText(exception?.value) ?? '',
    message: messageOf(event.logentry),
    frames: asList(stacktrace?.frames).map(frame => readFrame(frame as Json)),
    transaction: asText(event.transaction),
    level: (event.level as string) ?? 'error',
    platform: asText(event.platform),
    environment: asText(event.environment),
    release: asText(event.release),
    occurredAt: readTime(event.timestamp, receivedAt, sentAt),
    user: affectedUser(event.user as Json | undefined),
    tags: allTags(event),
    sdkName: asName(asObject(event.sdk)?.name),
    event
  }
}

/** A frame of a modern event. */
function readFrame(frame: Json): Frame {
  return {
    module: frame.module as string | undefined,
    filename: (frame.filename ?? frame.abs_path) as string | undefined,
    function: frame.function as string | undefined,
    isInApp: frame.in_app === true,
    line: frame.lineno as number | undefined,
    column: frame.colno as number | undefined,
    contextLine: frame.context_line as string | undefined
  }
}
