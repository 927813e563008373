import type { Mapping } from '../../../alerts/parse/mapping.ts'
import { parsePayload } from '../../../alerts/parse/parse-payload.ts'
import type { ParsedAlert } from '../../../alerts/parse/parsed-alert.ts'
import { html } from '../../layout/html.ts'

/** The alerts that the sample payload gives with the mapping. */
export function preview(sample: string, mapping: Mapping) {
  const { alerts, skipped } = parsePayload(sample, { receivedAt: new Date(), mapping, isFingerprinting: true })
  const [first] = alerts

  return html`
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      ${first ? alert(first) : skipped.length === 0 && html`<p>The mapping skips this payload: it changes nothing.</p>`}
      ${alerts.length > 1 && html`<p class="hint">And ${alerts.length - 1} more.</p>`}
      ${skipped.map(({ position, reason }) => html`<p class="error">Item ${position + 1} is not an alert: ${reason}.</p>`)}
    </section>`
}

function alert(report: ParsedAlert) {
  const attributes = {
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
    <p>${report.endedAt ? 'Resolves the open alert with this fingerprint.' : 'Opens an alert, or counts as another event of the open one.'}</p>
    <dl class="facts">${Object.entries(attributes).map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
