import { iconOf } from '#pages/layout/badge-icon.ts'
import { html } from '#pages/layout/html.ts'

const names: Record<string, string> = { success: 'passed', scheduled: 'delayed' }
const classes: Record<string, string> = { success: 'resolved', failed: 'critical', running: 'acknowledged', pending: 'acknowledged' }
const tick = 'M6 14L0 8l2-2 4 4 8-8 2 2z'
const cross = 'M3 1l5 5 5-5 2 2-5 5 5 5-2 2-5-5-5 5-2-2 5-5-5-5z'
const clock = 'M8 1a7 7 0 110 14A7 7 0 018 1zM7 4v5l4 2 1-2-3-1V4z'
const half = 'M8 1a7 7 0 110 14A7 7 0 018 1zm0 2v10a5 5 0 000-10z'
const bar = 'M8 1a7 7 0 110 14A7 7 0 018 1zM4 7v2h8V7z'
const start = 'M3 1l11 7-11 7z'
const shapes: Record<string, string> = {
  success: tick,
  failed: cross,
  running: half,
  pending: clock,
  scheduled: clock,
  manual: start,
  canceled: bar,
  skipped: bar
}

/** The status of a pipeline or job. */
export function ciBadge(status: string) {
  const shape = shapes[status]

  return html`<span class="badge ${classes[status] ?? 'ignored'}">${shape && iconOf(shape)}${statusName(status)}</span>`
}

export function statusName(status: string) {
  return names[status] ?? status
}
