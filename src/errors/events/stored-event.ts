import type { Grouping } from '../grouping/group-event.ts'
import type { EventFields } from '../normalise/event-fields.ts'

/** An event to store, without the parsed JSON: a batch of it would burden the garbage collector. */
export interface StoredEvent {
  projectId: number
  /** The client key that it was sent with. */
  keyId: number
  envelopeId: string
  eventId: string
  /** UTC day of receipt: the partition. */
  day: string
  receivedAt: Date
  /** The first one with a group determines the group. */
  hashes: Grouping['hashes']
  /** Only looked up. */
  previousHashes: Grouping['previousHashes']
  title: Grouping['title']
  occurrence: EventFields
  payload: Buffer
}
