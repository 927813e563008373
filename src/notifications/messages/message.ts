import type { Severity } from '#lib/severity.ts'
import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { Subject } from './subject.ts'

/** Something that happened, with what it happened to. */
export interface Occurrence {
  entry: OutboxEntry
  subject: Subject
  /** The user who did it; undefined for the system. */
  actor?: { id: number; name: string; username: string }
  /** The text of a comment. */
  text?: string
}

/** What one delivery says. Written again for every attempt, with the same id. */
export interface Message {
  /** Stays the same when the delivery is tried again, so that receivers can drop what they have. */
  id: string
  project: { id: number; name: string; url: string }
  /** The first ones; the most severe come first. */
  occurrences: Occurrence[]
  /** How many there are. */
  total: number
  /** Shows all occurrences of the delivery. */
  url: string
  worst?: Severity
  /** Why the recipient gets it, such as `rule "On call"`. */
  reason: string
  /** The hourly limit held these back. */
  isLimited: boolean
  at: Date
  /** A test of a channel: nothing has happened. */
  isTest?: true
}
