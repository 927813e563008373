import type { CheckIn } from '#monitors/check-in.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import type { Feedback } from '../feedback/parse-feedback.ts'
import type { Attachment } from '../parse/attachment.ts'
import type { SessionAggregate, SessionUpdate } from '../parse/session.ts'
import type { Outcome } from '../store/outcome-store.ts'

/** A replayed envelope must not be counted again. */
type OfEnvelope<T> = T & { envelopeId: string }

/** The parsed items of a batch of envelopes, by how they are stored. */
export interface ParsedBatch {
  events: StoredEvent[]
  /** Counted in their groups, but not stored. */
  spikeEvents: StoredEvent[]
  sessions: SessionUpdate[]
  sessionAggregates: OfEnvelope<SessionAggregate>[]
  feedback: Feedback[]
  attachments: Attachment[]
  checkIns: CheckIn[]
  /** Items that SDKs discarded before sending. */
  clientDiscards: OfEnvelope<Outcome>[]
  dropped: OfEnvelope<Outcome>[]
  /** Stored items other than events, which are counted when they are stored. */
  accepted: OfEnvelope<Outcome>[]
}

export function emptyBatch(): ParsedBatch {
  return {
    events: [],
    spikeEvents: [],
    sessions: [],
    sessionAggregates: [],
    feedback: [],
    attachments: [],
    checkIns: [],
    clientDiscards: [],
    dropped: [],
    accepted: []
  }
}
