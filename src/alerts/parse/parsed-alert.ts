import type { AlertValues } from '../alert.ts'
import type { Mapping, Source } from './mapping.ts'

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
  /** Set for a payload that is not of the integration's sender. */
  misfit?: Misfit | undefined
}

export interface ParseOptions {
  receivedAt: Date
  mapping: Mapping
  /** Whether alerts without a fingerprint get one made from their content. */
  isFingerprinting: boolean
  sender?: Sender
}

/** Whose payloads an integration expects. */
export interface Sender {
  /** Of the format of Alertmanager's webhook. */
  isMetrics: boolean
  /** Where its payloads have their title. */
  titles?: Source[] | undefined
}

export interface Misfit {
  /** What the payload lacks: names, or paths such as `alert/message`. */
  missing: string[]
  readAs: 'alertmanager' | 'json'
}
