import type { AlertValues } from '../alert.ts'
import type { Mapping } from './mapping.ts'

type SetByIntake = 'id' | 'projectId' | 'iid' | 'integrationId' | 'issueId' | 'status' | 'events' | 'createdAt' | 'updatedAt'

/** The attributes of an alert that come from its payload. With `endedAt` it resolves an alert. */
export type ParsedAlert = Omit<AlertValues, SetByIntake>

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
