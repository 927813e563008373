import type { Severity } from '../../lib/severity.ts'
import type { PayloadKind } from '../alert.ts'
import type { Mapping } from './mapping.ts'

/** What one alert of a payload says. */
export interface ParsedAlert {
  kind: PayloadKind
  title: string
  startedAt: Date
  /** With an end it resolves what is open. */
  endedAt?: Date
  /** By which it is known again; without one it never is. */
  fingerprint?: string
  severity: Severity
  description?: string
  service?: string
  monitoringTool?: string
  hosts: string[]
  environment?: string
  runbook?: string
  metricExpression?: string
  yLabel?: string
  incidentMarkdown?: string
  /** The JSON it was read from. */
  payload: string
}

/** An item that is no alert, and why. */
export interface SkippedItem {
  position: number
  reason: string
}

export interface ParsedPayload {
  reports: ParsedAlert[]
  skipped: SkippedItem[]
}

/** What is known of a payload beside what it says. */
export interface ParseOptions {
  receivedAt: Date
  mapping: Mapping
  /** Whether what brings no fingerprint gets one. */
  isFingerprinting: boolean
}

export type Json = Record<string, unknown>
