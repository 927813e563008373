import type { Mapping } from '../../../alerts/parse/mapping.ts'
import { parsePayload } from '../../../alerts/parse/parse-payload.ts'
import type { ParsedAlert } from '../../../alerts/parse/parsed-alert.ts'
import { html } from '../../layout/html.ts'

/** What the sample would become with a mapping, were it sent now. */
export function preview(sample: string, mapping: Mapping) {
  const { alerts, skipped } = parsePayload(sample, { receivedAt: new Date(), mapping, isFingerprinting: true })
  const [first] = alerts

  return html`
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">What the sample becomes</h2>
      ${first && alert(first)}
      ${alerts.length > 1 && html`<p class="hint">And ${alerts.length - 1} more like it.</p>`}
      ${skipped.map(({ position, reason }) => html`<p class="error">Item ${position + 1} is no alert: ${reason}.</p>`)}
    </section>`
}

function alert(report: ParsedAlert) {
  const lines = {
    Title: report.title,
    Description: report.description,
    Severity: report.severity,
    Started: report.startedAt.toISOString(),
    Ended: report.endedAt?.toISOString(),
    Service: report.service,
    'Monitoring tool': report.monitoringTool,
    Hosts: report.hosts.join(', '),
    Environment: report.environment
  }

  return html`
    <p>${report.endedAt ? 'It resolves the alert that it opened before.' : 'It opens an alert, or is counted with one that is open.'}</p>
    <dl class="facts">${Object.entries(lines).map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
