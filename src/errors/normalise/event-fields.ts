import { type Json, objectOrUndefined, textOrUndefined, valuesOf } from '#lib/json.ts'
import { allTags } from './tags.ts'
import { eventTime } from './time.ts'
import { type AffectedUser, identifyUser, userTags } from './user.ts'

/** The fields of an event that are stored beside its payload, to search and to count by. */
export interface EventFields {
  level: string
  /** Whether an exception ended the program, the request or the task. */
  isUnhandled: boolean
  platform?: string
  environment?: string
  release?: string
  occurredAt: Date
  user?: AffectedUser
  /** At most 50, with those derived from other attributes. */
  tags: Record<string, string>
  /** The user's attributes, to search by: `user.email`. They are not counted. */
  userTags: Record<string, string>
}

/** Reads the fields of a normalised event, in which every attribute is optional. */
export function readFields(event: Json, receivedAt: Date, sentAt?: unknown): EventFields {
  return {
    level: (event.level as string) ?? 'error',
    isUnhandled: valuesOf(event.exception).some(({ mechanism }) => objectOrUndefined(mechanism)?.handled === false),
    platform: textOrUndefined(event.platform),
    environment: textOrUndefined(event.environment),
    release: textOrUndefined(event.release),
    occurredAt: eventTime(event.timestamp, receivedAt, sentAt),
    user: identifyUser(event.user as Json | undefined),
    tags: allTags(event),
    userTags: userTags(event.user as Json | undefined)
  }
}
