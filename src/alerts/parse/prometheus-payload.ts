import { isObject, type Json, objectOrEmpty } from '#lib/json.ts'
import { parseSeveritySynonym } from '#lib/severity.ts'
import { readAlertLabels } from './alert-labels.ts'
import { fingerprintOf } from './fingerprint.ts'
import { environmentIn } from './generic-payload.ts'
import { applyMapping, type MappedAttributes } from './mapping.ts'
import { endOfStatus, parseStatus } from './parse-status.ts'
import { parseAlertTime, parseEndTime } from './parse-time.ts'
import type { ParsedAlert, ParsedPayload, ParseOptions } from './parsed-alert.ts'
import { readLink } from './payload-links.ts'
import { payloadReader, type ReadPath } from './payload-reader.ts'
import { maxLength, readHosts, readText } from './payload-text.ts'

const required = ['alerts', 'commonAnnotations', 'commonLabels', 'externalURL', 'groupKey', 'groupLabels', 'receiver', 'status', 'version']
/** By the version of the webhook. */
const tools = new Map<unknown, string>([
  ['4', 'Prometheus'],
  [4, 'Prometheus'],
  ['1', 'Grafana'],
  [1, 'Grafana']
])

interface MetricsPayload extends Json {
  alerts: unknown[]
  version: string
}

/** Whether the payload has the format of Alertmanager's webhook, which Grafana also sends. */
export function isPrometheus(payload: Json): payload is MetricsPayload {
  return required.every(name => Object.hasOwn(payload, name)) && Array.isArray(payload.alerts) && tools.has(payload.version)
}

/** What keeps a payload from having that format. */
export function missingIn(payload: Json) {
  const missing = required.filter(name => !Object.hasOwn(payload, name))

  if (missing.length > 0) return missing

  return Array.isArray(payload.alerts) ? ['version 4 (Alertmanager) or 1 (Grafana)'] : ['a list of alerts']
}

/** One alert per item. An invalid item is skipped. */
export function parsePrometheus(payload: MetricsPayload, options: ParseOptions): ParsedPayload {
  const parsed: ParsedPayload = { alerts: [], skipped: [] }

  for (const [position, item] of payload.alerts.entries()) {
    const alert = parseItem(item, payload, options)

    if (typeof alert === 'string') parsed.skipped.push({ position, reason: alert })
    else if (alert) parsed.alerts.push(alert)
  }

  return parsed
}

/** The alert, or the reason why the item is not one; undefined when the mapping skips it. */
function parseItem(item: unknown, payload: MetricsPayload, { receivedAt, mapping }: ParseOptions): ParsedAlert | string | undefined {
  if (!isObject(item)) return 'it is not an object'
  const annotations = objectOrEmpty(item.annotations)
  const labels = objectOrEmpty(item.labels)
  const read = payloadReader(item)
  const mapped = applyMapping(mapping, itemReader(read, payload))
  const titles = [mapped.title, annotations.title, annotations.summary, labels.alertname]
  const title = firstText(titles, maxLength.title)
  const description = readText(mapped.description ?? annotations.description, maxLength.description)
  const severity = parseSeveritySynonym(mapped.severity ?? labels.severity)
  const startedAt = parseAlertTime(mapped.start_time) ?? parseAlertTime(item.startsAt)
  const metricExpression = readText(expressionIn(item.generatorURL), maxLength.metricExpression)

  if (!title) return 'it has no title: annotations/title, annotations/summary or labels/alertname'
  if (parseStatus(mapped.status) === 'skipped') return undefined
  if (!startedAt) return 'it has no startsAt that is a time'

  return {
    kind: 'metrics',
    given: { title, description, severity },
    title,
    description,
    severity: severity ?? 'critical',
    startedAt,
    endedAt: endOf(item, mapped, receivedAt),
    metricExpression,
    service: readText(mapped.service, maxLength.service),
    monitoringTool: readText(mapped.monitoring_tool, maxLength.monitoringTool) ?? tools.get(payload.version),
    hosts: readHosts(mapped.hosts),
    environment: readText(mapped.service_environment_name ?? environmentIn(labels), maxLength.environment),
    labels: readAlertLabels(read),
    runbook: readText(annotations.runbook, maxLength.link) ?? readLink('runbook', read),
    yLabel: firstText([annotations.service_y_label, annotations.gitlab_y_label, ...titles.slice(1)], maxLength.title),
    incidentMarkdown: firstText([annotations.service_incident_markdown, annotations.gitlab_incident_markdown], maxLength.incidentMarkdown),
    fingerprint: fingerprintOf(mapped.fingerprint) ?? fingerprintOf(identifierOf(item, title, metricExpression)),
    recurrenceKey: fingerprintOf(mapped.fingerprint) ?? fingerprintOf(conditionOf(item, title, metricExpression)),
    payload: JSON.stringify(item)
  }
}

/** Paths start at the item or at the payload. `alerts[n]` stands for the item, whatever `n` was in the sample. */
function itemReader(inItem: ReadPath, payload: MetricsPayload): ReadPath {
  const inPayload = payloadReader(payload)

  return path => {
    const [first, second, ...rest] = path

    return first === 'alerts' && typeof second === 'number' ? inItem(rest) : (inItem(path) ?? inPayload(path))
  }
}

/** Firing alerts have an end time, too: Alertmanager sends the year 1, other tools the expected end. */
function endOf(item: Json, mapped: MappedAttributes, receivedAt: Date) {
  const status = parseStatus(mapped.status)
  const mappedEnd = parseEndTime(mapped.end_time, receivedAt)
  const end = mappedEnd ?? parseAlertTime(item.endsAt)

  if (status) return endOfStatus(status, mapped.end_time ?? item.endsAt, receivedAt)
  if (mappedEnd) return mappedEnd
  if (typeof item.status === 'string') return item.status.toLowerCase() === 'resolved' ? (end ?? receivedAt) : undefined

  return end && end <= receivedAt ? end : undefined
}

/** Includes the start time: firing again after it was resolved is another alert. Tools without fingerprints are told apart by content. */
function identifierOf(item: Json, title: string, expression: string | undefined) {
  const parts =
    typeof item.fingerprint === 'string' && item.fingerprint ? [item.fingerprint, item.startsAt] : [item.startsAt, title, expression]

  return parts.map(part => String(part ?? '')).join('/')
}

/** The identifier without the start time. */
function conditionOf({ fingerprint }: Json, title: string, expression: string | undefined) {
  return typeof fingerprint === 'string' && fingerprint ? fingerprint : [title, expression]
}

function expressionIn(url: unknown) {
  return typeof url === 'string' && url.includes('g0.expr') ? URL.parse(url, 'http://localhost')?.searchParams.get('g0.expr') : undefined
}

function firstText(candidates: unknown[], maxLength: number) {
  for (const candidate of candidates) {
    const text = readText(candidate, maxLength)

    if (text) return text
  }
}
