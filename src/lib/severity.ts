/** From the gravest to the least known, as they are sorted. */
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

const names = new Map<string, Severity>(severities.map(severity => [severity, severity]))
const allNames = new Map([...names, ...severities.flatMap(severity => synonyms[severity].map(name => [name, severity] as const))])

/** One of our own names in whatever case. What nobody knows is taken for the worst. */
export function parseSeverity(given: unknown) {
  return find(names, given)
}

/** The same with the names that monitoring tools have for them. */
export function parseSeveritySynonym(given: unknown) {
  return find(allNames, given)
}

function find(known: Map<string, Severity>, given: unknown): Severity {
  return known.get(typeof given === 'string' ? given.trim().toLowerCase() : '') ?? 'critical'
}
