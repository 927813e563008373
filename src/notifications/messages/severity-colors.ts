import type { Severity } from '#lib/severity.ts'

/** Readable on white and on black: the receiver chooses the background. */
export const severityColors: Record<Severity, string> = {
  critical: '#c91c1c',
  high: '#d75f00',
  medium: '#b58900',
  low: '#3572b0',
  info: '#3572b0',
  unknown: '#777777'
}
