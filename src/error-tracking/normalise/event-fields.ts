import { asText, type Json } from './json.ts'
import { normaliseEvent } from './normalise-event.ts'
import { allTags } from './tags.ts'
import { eventTime } from './time.ts'
import { type AffectedUser, identifyUser } from './user.ts'

/** What is stored of an event beside its payload, to search and to count by, whatever shape its SDK gave it. */
export interface EventFields {
  level: string
  platform?: string
  environment?: string
  release?: string
  occurredAt: Date
  user?: AffectedUser
  /** At most 50, what the event's other members tell included. */
  tags: Record<string, string>
}

export interface Circumstances {
  /** What the envelope says of when it was sent, to tell a sender whose clock is wrong. */
  sentAt?: unknown
}

/** The members that tell it. The others are most of an event, and most of the work. */
const telling = new Set(
  'level platform environment release dist server_name logger transaction timestamp request user tags contexts'.split(' ')
)

/** Reads an event; everything in it is optional and may be of any type. */
export function extractFields(given: Json, receivedAt: Date, { sentAt }: Circumstances = {}): EventFields {
  const event = normaliseEvent(given, telling)

  return {
    level: (event.level as string) ?? 'error',
    platform: asText(event.platform),
    environment: asText(event.environment),
    release: asText(event.release),
    occurredAt: eventTime(event.timestamp, receivedAt, sentAt),
    user: identifyUser(event.user as Json | undefined),
    tags: allTags(event)
  }
}
