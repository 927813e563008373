import type { AlertValues } from '../alert.ts'
import type { Mapping } from './mapping.ts'

type SetByIntake = 'id' | 'projectId' | 'iid' | 'integrationId' | 'issueId' | 'status' | 'events' | 'createdAt' | 'updatedAt' | 'lastSeenAt'

/** The attributes of an alert that come from its payload. With `endedAt` it resolves an alert. */
export interface ParsedAlert extends Omit<AlertValues, SetByIntake> {
  /** What the payload contains, without defaults: an alert that repeats is updated with it. */
  given: Partial<AlertContent>
}

export type AlertContent = Pick<AlertValues, 'title' | 'description' | 'severity'>

/** An item of a payload that is not an alert. */
export interface SkippedItem {
  position: number
  reason: string
}

export interface ParsedPayload {
  alerts: ParsedAlert[]
  skipped: SkippedItem[]
}

export interface ParseOptions {
  receivedAt: Date
  mapping: Mapping
  /** Whether alerts without a fingerprint get one made from their content. */
  isFingerprinting: boolean
}
