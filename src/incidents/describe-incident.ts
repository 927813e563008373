import type { Alert } from '../alerts/alert.ts'
import { customFields } from '../alerts/parse/custom-fields.ts'

const longestDetails = 50_000

interface Place {
  url: string
  template?: string | null
}

/** What an incident says of the alert that it was made from: its attributes, its custom fields, and what project and alert add. */
export function describe(alert: Alert, { url, template }: Place) {
  const facts: [string, string | null | undefined][] = [
    ['Start time', alert.startedAt.toISOString()],
    ['Severity', alert.severity],
    ['Description', alert.description],
    ['Service', alert.service],
    ['Monitoring tool', alert.monitoringTool],
    ['Hosts', alert.hosts.join(', ')],
    ['Environment', alert.environment],
    ['Runbook', alert.runbook],
    ['Full query', alert.metricExpression && code(alert.metricExpression)],
    ['Alert', url]
  ]
  const details = Object.entries(customFields(alert.kind, String(alert.payload))).flatMap(([name, value]) => flatten(name, value))
  const parts = [
    lines(facts.filter(([, value]) => value)),
    details.length > 0 && `#### Alert details\n\n${lines(details).slice(0, longestDetails)}`,
    template,
    alert.incidentMarkdown
  ]

  return parts.filter(Boolean).join('\n\n---\n\n')
}

/** One line of Markdown each. */
function lines(facts: [string, unknown][]) {
  return facts.map(([name, value]) => `**${name}:** ${onOneLine(String(value))}`).join('  \n')
}

function onOneLine(text: string) {
  return text.replaceAll(/\s+/g, space => (space.includes('\n') ? ' ' : space))
}

/** `{a: {b: 1}}` as `a.b: 1`. */
function flatten(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item, n) => flatten(`${name}[${n}]`, item))

  return Object.entries(value).flatMap(([member, inner]) => flatten(`${name}.${member}`, inner))
}

/** Fenced by more backticks than it holds. */
function code(text: string) {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)

  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}
