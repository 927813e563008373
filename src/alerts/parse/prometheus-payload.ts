import { parseSeveritySynonym } from '../../lib/severity.ts'
import { fingerprintOf } from './fingerprint.ts'
import { environmentIn } from './generic-payload.ts'
import { applyMapping, type Mapped, type Path, valueAt } from './mapping.ts'
import { parseAlertTime } from './parse-time.ts'
import { limits, readHosts, readText } from './payload-text.ts'
import type { Json, ParsedAlert, ParsedPayload, ParseOptions } from './report.ts'

const required = ['alerts', 'commonAnnotations', 'commonLabels', 'externalURL', 'groupKey', 'groupLabels', 'receiver', 'status', 'version']
/** By the version of their webhook. */
const tools: Record<string, string> = { 4: 'Prometheus', 1: 'Grafana' }

export interface MetricsPayload extends Json {
  alerts: unknown[]
  version: string
}

/** Whether this is what Alertmanager sends, or Grafana after its example. */
export function isMetrics(payload: Json): payload is MetricsPayload {
  return required.every(name => Object.hasOwn(payload, name)) && Array.isArray(payload.alerts) && String(payload.version) in tools
}

/** One alert an item; those that are none keep none of the others. */
export function parseMetrics(payload: MetricsPayload, circumstances: ParseOptions): ParsedPayload {
  const reading: ParsedPayload = { reports: [], skipped: [] }

  for (const [position, item] of payload.alerts.entries()) {
    const report = parseItem(item, payload, circumstances)

    if (typeof report === 'string') reading.skipped.push({ position, reason: report })
    else reading.reports.push(report)
  }

  return reading
}

/** The alert, or why it is none. */
function parseItem(item: unknown, payload: MetricsPayload, { receivedAt, mapping }: ParseOptions): ParsedAlert | string {
  if (!isJson(item)) return 'it is not an object'
  const { annotations, labels } = { annotations: jsonOf(item.annotations), labels: jsonOf(item.labels) }
  const mapped = applyMapping(item, mapping, (_item, path) => digAround(item, payload, path))
  const titles = [mapped.title, annotations.title, annotations.summary, labels.alertname]
  const title = firstText(titles, limits.title)
  const startedAt = parseAlertTime(mapped.start_time) ?? parseAlertTime(item.startsAt)
  const metricExpression = readText(expressionIn(item.generatorURL), limits.metricExpression)

  if (!title) return 'it has no title: annotations/title, annotations/summary or labels/alertname'
  if (!startedAt) return 'it has no startsAt that is a time'

  return {
    kind: 'metrics',
    title,
    startedAt,
    endedAt: endOf(item, mapped, receivedAt),
    metricExpression,
    description: readText(mapped.description ?? annotations.description, limits.description),
    service: readText(mapped.service, limits.service),
    monitoringTool: readText(mapped.monitoring_tool, limits.monitoringTool) ?? tools[payload.version],
    hosts: readHosts(mapped.hosts),
    severity: parseSeveritySynonym(mapped.severity ?? labels.severity),
    environment: readText(mapped.service_environment_name ?? environmentIn(labels), limits.environment),
    runbook: readText(annotations.runbook, limits.link),
    yLabel: firstText([annotations.service_y_label, annotations.gitlab_y_label, ...titles.slice(1)], limits.title),
    incidentMarkdown: firstText([annotations.service_incident_markdown, annotations.gitlab_incident_markdown], limits.incidentMarkdown),
    fingerprint: fingerprintOf(mapped.fingerprint) ?? fingerprintOf(identityOf(item, title, metricExpression)),
    payload: JSON.stringify(item)
  }
}

/** A path is meant from an item, or as it stands in the whole payload, whatever the item it was picked from. */
function digAround(item: Json, payload: MetricsPayload, path: Path) {
  const [first, second, ...rest] = path

  return first === 'alerts' && typeof second === 'number' ? valueAt(item, rest) : (valueAt(item, path) ?? valueAt(payload, path))
}

/** While it fires, Alertmanager sends the year 1, and others when they expect it to end. */
function endOf(item: Json, mapped: Mapped, receivedAt: Date) {
  const end = parseAlertTime(mapped.end_time) ?? parseAlertTime(item.endsAt)

  if (mapped.end_time !== undefined && end) return end
  if (typeof item.status === 'string') return item.status.toLowerCase() === 'resolved' ? (end ?? receivedAt) : undefined

  return end && end <= receivedAt ? end : undefined
}

/** Each time that something fires is another alert; Alertmanager names what fires, others have to be told apart by what they say. */
function identityOf(item: Json, title: string, expression: string | undefined) {
  const parts =
    typeof item.fingerprint === 'string' && item.fingerprint ? [item.fingerprint, item.startsAt] : [item.startsAt, title, expression]

  return parts.map(part => String(part ?? '')).join('/')
}

function expressionIn(url: unknown) {
  return typeof url === 'string' && url.includes('g0.expr') ? URL.parse(url, 'http://localhost')?.searchParams.get('g0.expr') : undefined
}

function firstText(candidates: unknown[], longest: number) {
  for (const candidate of candidates) {
    const text = readText(candidate, longest)

    if (text) return text
  }
}

function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
