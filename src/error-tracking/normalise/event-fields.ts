import { type Json, textOrUndefined } from '../../lib/json.ts'
import { normaliseEvent } from './normalise-event.ts'
import { allTags } from './tags.ts'
import { eventTime } from './time.ts'
import { type AffectedUser, identifyUser } from './user.ts'

/** The fields of an event that are stored beside its payload, to search and to count by. */
export interface EventFields {
  level: string
  platform?: string
  environment?: string
  release?: string
  occurredAt: Date
  user?: AffectedUser
  /** At most 50, with those derived from other attributes. */
  tags: Record<string, string>
}

/** The attributes that the fields are read from. Normalising the others would cost far more. */
const attributes = new Set(
  'level platform environment release dist server_name logger transaction timestamp request user tags contexts'.split(' ')
)

/** Extracts the fields of an event as sent: every attribute is optional and may have any type. */
export function extractFields(sent: Json, receivedAt: Date, { sentAt }: { sentAt?: unknown } = {}): EventFields {
  const event = normaliseEvent(sent, attributes)

  return {
    level: (event.level as string) ?? 'error',
    platform: textOrUndefined(event.platform),
    environment: textOrUndefined(event.environment),
    release: textOrUndefined(event.release),
    occurredAt: eventTime(event.timestamp, receivedAt, sentAt),
    user: identifyUser(event.user as Json | undefined),
    tags: allTags(event)
  }
}
