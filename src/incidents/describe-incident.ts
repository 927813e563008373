import type { Alert } from '#alerts/alert.ts'
import { flatten } from '#alerts/details/flatten.ts'
import { customFields } from '#alerts/parse/custom-fields.ts'

const maxDetails = 50_000

/** The Markdown description of an incident: attributes, custom fields, the project's template, and the alert's own Markdown. */
export function describeIncident(alert: Alert, url: string, template: string | null | undefined) {
  const attributes: [string, string | null | undefined][] = [
    ['Start time', alert.startedAt.toISOString()],
    ['Severity', alert.severity],
    ['Description', alert.description],
    ['Service', alert.service],
    ['Monitoring tool', alert.monitoringTool],
    ['Hosts', alert.hosts.join(', ')],
    ['Environment', alert.environment],
    ['Runbook', alert.runbook],
    ['Full query', alert.metricExpression && codeSpan(alert.metricExpression)],
    ['Alert', url]
  ]
  const details = flatten(customFields(alert.kind, String(alert.payload))).map(({ name, value }): [string, unknown] => [name, value])
  const sections = [
    renderList(attributes.filter(([, value]) => value)),
    details.length > 0 && `#### Alert details\n\n${renderList(details).slice(0, maxDetails)}`,
    template,
    alert.incidentMarkdown
  ]

  return sections.filter(Boolean).join('\n\n---\n\n')
}

/** One line of Markdown per entry. */
function renderList(entries: [string, unknown][]) {
  return entries
    .map(([name, value]) => `**${name}:** ${String(value).replaceAll(/\s+/g, space => (space.includes('\n') ? ' ' : space))}`)
    .join('  \n')
}

/** The fence is longer than any run of backticks in the text. */
function codeSpan(text: string) {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)

  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}
