import type { Json } from '#lib/json.ts'
import { parseSeverity, parseSeveritySynonym } from '#lib/severity.ts'
import { readAlertLabels } from './alert-labels.ts'
import { contentFingerprint, fingerprintOf } from './fingerprint.ts'
import { applyMapping, isPresent, type MappedAttributes, type Mapping, pathsOf } from './mapping.ts'
import { endOfStatus, parseStatus } from './parse-status.ts'
import { parseAlertTime, parseEndTime } from './parse-time.ts'
import type { ParsedAlert, ParseOptions } from './parsed-alert.ts'
import { readLink } from './payload-links.ts'
import { type Path, payloadReader } from './payload-reader.ts'
import { maxLength, readHosts, readText } from './payload-text.ts'

/** Left out of the content fingerprint: occurrences of one alert differ in these. */
const volatileAttributes = ['start_time', 'end_time', 'hosts', 'status'] as const

/** One alert from the JSON of any webhook; undefined when the mapping skips it. */
export function parseGeneric(payload: Json, text: string, options: ParseOptions): ParsedAlert | undefined {
  const { receivedAt, mapping } = options
  const read = payloadReader(payload)
  const mapped = applyMapping(mapping, read)
  const status = parseStatus(mapped.status)
  const values: Json & MappedAttributes = { ...payload, ...mapped }
  const given = {
    title: readText(values.title, maxLength.title),
    description: readText(values.description, maxLength.description),
    // Tools that need a mapping have their own names for severities.
    severity: mapped.severity === undefined ? parseSeverity(values.severity) : parseSeveritySynonym(values.severity)
  }

  if (status === 'skipped') return undefined
  const fingerprint =
    fingerprintOf(values.fingerprint) ?? (options.isFingerprinting ? fingerprintWithoutVolatile(payload, mapping) : undefined)

  return {
    kind: 'generic',
    given,
    title: given.title ?? 'New: Alert',
    description: given.description,
    severity: given.severity ?? 'critical',
    startedAt: parseAlertTime(values.start_time) ?? receivedAt,
    endedAt: status ? endOfStatus(status, values.end_time, receivedAt) : parseEndTime(values.end_time, receivedAt),
    service: readText(values.service, maxLength.service),
    monitoringTool: readText(values.monitoring_tool, maxLength.monitoringTool),
    hosts: readHosts(values.hosts),
    environment: readText(mapped.service_environment_name ?? environmentIn(payload), maxLength.environment),
    labels: readAlertLabels(read),
    runbook: readLink('runbook', read),
    fingerprint,
    recurrenceKey: fingerprint,
    payload: text
  }
}

/** GitLab's clients send `gitlab_environment_name`. */
export function environmentIn(members: Json) {
  return isPresent(members.service_environment_name) ? members.service_environment_name : members.gitlab_environment_name
}

function fingerprintWithoutVolatile(payload: Json, mapping: Mapping) {
  const mapped = volatileAttributes.flatMap(attribute => (mapping[attribute] ?? []).flatMap(pathsOf))
  const paths: Path[] = [['start_time'], ['end_time'], ['hosts'], ...mapped]

  return contentFingerprint(paths.reduce<Json>((rest, path) => omit(rest, path) as Json, payload))
}

/** A copy without the value at the path. */
function omit(value: unknown, [step, ...further]: Path): unknown {
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value
  const members = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>

  if (further.length > 0) members[step] = omit(members[step], further)
  else delete members[step]

  return members
}
