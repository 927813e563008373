import type { StoredEvent } from '../events/stored-event.ts'
import type { Count } from '../store/outcome-counts.ts'
import type { Attachment } from './items/attachment.ts'
import type { Feedback } from './items/feedback.ts'
import type { SessionTally, SessionUpdate } from './items/session.ts'

/** Of an envelope that may have been counted before. */
type Counted<T> = T & { envelopeId: string }

/** All that was found in a batch of envelopes, sorted by what becomes of it. */
export interface Findings {
  events: StoredEvent[]
  /** Events that are counted in their errors, and not kept. */
  counted: StoredEvent[]
  sessions: SessionUpdate[]
  tallies: Counted<SessionTally>[]
  feedback: Feedback[]
  attachments: Attachment[]
  /** What SDKs lost before they sent it. */
  losses: Counted<Count>[]
  /** What came and was not kept. */
  drops: Counted<Count>[]
  /** What came and was kept; events are counted when they are stored. */
  keeps: Counted<Count>[]
}

export function noFindings(): Findings {
  return { events: [], counted: [], sessions: [], tallies: [], feedback: [], attachments: [], losses: [], drops: [], keeps: [] }
}
