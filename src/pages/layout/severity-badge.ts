import type { Severity } from '../../lib/severity.ts'
import { html } from './html.ts'

const symbols: Record<Severity, string> = { critical: '‼', high: '▲', medium: '■', low: '▼', info: 'i', unknown: '?' }

/** A symbol beside the name: colour alone would not tell. */
export function severityBadge(severity: Severity) {
  return html`<span class="badge ${severity}"><span aria-hidden="true">${symbols[severity]}</span> ${severity}</span>`
}
