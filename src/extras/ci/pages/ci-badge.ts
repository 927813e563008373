import { html } from '#pages/layout/html.ts'

const names: Record<string, string> = { success: 'passed', scheduled: 'delayed' }
const classes: Record<string, string> = { success: 'resolved', failed: 'critical', running: 'acknowledged', pending: 'acknowledged' }

/** The status of a pipeline or job. */
export function ciBadge(status: string) {
  return html`<span class="badge ${classes[status] ?? 'ignored'}">${statusName(status)}</span>`
}

export function statusName(status: string) {
  return names[status] ?? status
}
