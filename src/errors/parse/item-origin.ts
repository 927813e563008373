import { truncateStorable } from '#lib/storable-text.ts'

/** Identifies an item, so that processing its batch again changes nothing. */
export interface ItemOrigin {
  projectId: number
  /** The client key. */
  keyId: number
  envelopeId: string
  /** Index in the envelope. */
  position: number
  receivedAt: Date
  /** The UTC day of receipt. */
  day: string
}

const maxCount = 1_000_000_000

/** A string cut to `maxLength`; empty for any other type. */
export function boundedText(value: unknown, maxLength: number) {
  return typeof value === 'string' ? truncateStorable(value, maxLength) : ''
}

export function countOrZero(value: unknown) {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(Math.floor(value), maxCount) : 0
}

export function timeOrUndefined(value: unknown) {
  const time = typeof value === 'number' ? new Date(value * 1000) : typeof value === 'string' ? new Date(value) : undefined

  return time && !Number.isNaN(time.getTime()) ? time : undefined
}
