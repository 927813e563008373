import { lookUp } from './json.ts'

/** In sort order. */
export const severities = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const
export type Severity = (typeof severities)[number]

const synonyms: Record<Severity, string[]> = {
  critical: ['s1', 'p1', 'emergency', 'fatal'],
  high: ['s2', 'p2', 'major', 'page'],
  medium: ['s3', 'p3', 'error', 'alert'],
  low: ['s4', 'p4', 'warn', 'warning'],
  info: ['s5', 'p5', 'debug', 'information', 'notice'],
  unknown: []
}

const byName = new Map<string, Severity>(severities.map(severity => [severity, severity]))
const bySynonym = new Map([...byName, ...severities.flatMap(severity => synonyms[severity].map(name => [name, severity] as const))])

const ofLevels: Record<string, Severity> = { fatal: 'critical', error: 'high', warning: 'medium', info: 'low', debug: 'info' }

/** The severity that corresponds to the level of an error. */
export function severityOfLevel(level: string): Severity {
  return lookUp(ofLevels, level) ?? 'unknown'
}

/** Case-insensitive; undefined for a name that is not recognised. */
export function parseSeverity(value: unknown) {
  return find(byName, value)
}

/** Also accepts the names that monitoring tools use. */
export function parseSeveritySynonym(value: unknown) {
  return find(bySynonym, value)
}

/** The higher of two severities. */
export function moreSevere(one: Severity, other: Severity) {
  return severities.indexOf(one) <= severities.indexOf(other) ? one : other
}

function find(names: Map<string, Severity>, value: unknown) {
  return names.get(typeof value === 'string' ? value.trim().toLowerCase() : '')
}
