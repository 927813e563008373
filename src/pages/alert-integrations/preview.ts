import type { Mapping } from '#alerts/parse/mapping.ts'
import { parsePayload } from '#alerts/parse/parse-payload.ts'
import type { ParsedAlert } from '#alerts/parse/parsed-alert.ts'
import { html } from '../layout/html.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { timeIn } from '../layout/time.ts'

/** The alerts that the sample payload gives with the mapping. */
export function preview(sample: string | null, mapping: Mapping) {
  if (!sample) return html`<h2>Preview</h2><p class="hint">Enter a sample payload to see the resulting alert.</p>`
  const { alerts, skipped } = parsePayload(sample, { receivedAt: new Date(), mapping, isFingerprinting: true })
  const [first] = alerts

  return html`
    <h2>Preview</h2>
    ${first ? alert(first) : skipped.length === 0 && html`<p>The mapping skips this payload: it changes nothing.</p>`}
    ${alerts.length > 1 && html`<p class="hint">And ${alerts.length - 1} more.</p>`}
    ${skipped.map(({ position, reason }) => html`<p class="error">Item ${position + 1} is not an alert: ${reason}.</p>`)}`
}

function alert(report: ParsedAlert) {
  const { title, severity, startedAt, endedAt, hosts } = report
  const attributes = {
    Description: report.description,
    Started: timeIn('full', startedAt),
    Ended: endedAt && timeIn('full', endedAt),
    Service: report.service,
    'Monitoring tool': report.monitoringTool,
    Hosts: hosts.join(', '),
    Environment: report.environment,
    Fingerprint: report.fingerprint && html`<code>${report.fingerprint.slice(0, 12)}</code>`
  }

  return html`
    <p class="outcome">${severityBadge(severity)} <strong>${title}</strong></p>
    <p>${endedAt ? 'Resolves the open alert with this fingerprint.' : 'Opens an alert, or counts as another event of the open one.'}</p>
    <dl class="pairs">${Object.entries(attributes).map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
