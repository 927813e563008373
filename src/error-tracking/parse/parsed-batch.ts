import type { StoredEvent } from '../events/stored-event.ts'
import type { Outcome } from '../store/outcome-store.ts'
import type { Attachment } from './items/attachment.ts'
import type { Feedback } from './items/feedback.ts'
import type { SessionAggregate, SessionUpdate } from './items/session.ts'

/** Of an envelope that may have been counted before. */
type Counted<T> = T & { envelopeId: string }

/** All that was found in a batch of envelopes, sorted by what becomes of it. */
export interface ParsedBatch {
  events: StoredEvent[]
  /** Events that are counted in their errors, and not kept. */
  spikeEvents: StoredEvent[]
  sessions: SessionUpdate[]
  sessionAggregates: Counted<SessionAggregate>[]
  feedback: Feedback[]
  attachments: Attachment[]
  /** What SDKs lost before they sent it. */
  clientDiscards: Counted<Outcome>[]
  /** What came and was not kept. */
  dropped: Counted<Outcome>[]
  /** What came and was kept; events are counted when they are stored. */
  accepted: Counted<Outcome>[]
}

export function emptyBatch(): ParsedBatch {
  return {
    events: [],
    spikeEvents: [],
    sessions: [],
    sessionAggregates: [],
    feedback: [],
    attachments: [],
    clientDiscards: [],
    dropped: [],
    accepted: []
  }
}
