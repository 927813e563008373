import { parseSeverity, parseSeveritySynonym } from '../../lib/severity.ts'
import { fingerprintOf, fingerprintOfAll } from './fingerprint.ts'
import { applyMapping, isPresent, type Mapped, type Mapping, type Path } from './mapping.ts'
import { parseAlertTime } from './parse-time.ts'
import { limits, readHosts, readText } from './payload-text.ts'
import type { Json, ParsedAlert, ParseOptions } from './report.ts'

/** When and where does not tell one alert from another. */
const incidental = ['start_time', 'end_time', 'hosts'] as const

/** One alert, as any webhook sends it. */
export function parseGeneric(payload: Json, text: string, circumstances: ParseOptions): ParsedAlert {
  const { receivedAt, mapping } = circumstances
  const mapped = applyMapping(payload, mapping)
  const said: Json & Mapped = { ...payload, ...mapped }

  return {
    kind: 'generic',
    title: readText(said.title, limits.title) ?? 'New: Alert',
    description: readText(said.description, limits.description),
    startedAt: parseAlertTime(said.start_time) ?? receivedAt,
    endedAt: parseAlertTime(said.end_time),
    service: readText(said.service, limits.service),
    monitoringTool: readText(said.monitoring_tool, limits.monitoringTool),
    hosts: readHosts(said.hosts),
    // A tool that has to be mapped has its own words.
    severity: mapped.severity === undefined ? parseSeverity(said.severity) : parseSeveritySynonym(said.severity),
    environment: readText(mapped.service_environment_name ?? environmentIn(payload), limits.environment),
    fingerprint: fingerprintOf(said.fingerprint) ?? fingerprintFor(payload, circumstances),
    payload: text
  }
}

/** By the name of the specification, and by the one that clients know. */
export function environmentIn(members: Json) {
  return isPresent(members.service_environment_name) ? members.service_environment_name : members.gitlab_environment_name
}

function fingerprintFor(payload: Json, { isFingerprinting, mapping }: ParseOptions) {
  return isFingerprinting ? fingerprintOfAll(withoutIncidentals(payload, mapping)) : undefined
}

function withoutIncidentals(payload: Json, mapping: Mapping) {
  const paths = incidental.flatMap(attribute => [[attribute], ...(mapping[attribute] ?? [])])

  return paths.reduce<Json>((rest, path) => without(rest, path) as Json, payload)
}

function without(value: unknown, [step, ...further]: Path): unknown {
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value
  const members = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>

  if (further.length > 0) members[step] = without(members[step], further)
  else delete members[step]

  return members
}
