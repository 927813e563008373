import type { Grouping } from '../grouping/group-event.ts'
import type { EventFields } from '../normalise/event-fields.ts'

/** An event that is ready to be stored. The parsed event itself is not kept: a batch of them would burden the garbage collector. */
export interface StoredEvent {
  projectId: number
  envelopeId: string
  eventId: string
  /** Of arrival, in UTC: the partition. */
  day: string
  receivedAt: Date
  /** The first one with a group determines the group. */
  hashes: Grouping['hashes']
  title: Grouping['title']
  occurrence: EventFields
  payload: Buffer
}
