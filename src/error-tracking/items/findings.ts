import type { StoredEvent } from '../occurrence.ts'
import type { Attachment } from './attachment.ts'
import type { Count } from './counts.ts'
import type { Feedback } from './feedback.ts'
import type { SessionTally, SessionUpdate } from './session.ts'

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
