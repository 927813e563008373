/** From the gravest to the least known, as they are sorted. */
export const severities = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const
export type Severity = (typeof severities)[number]

const synonyms: Record<Severity, string[]> = {
  critical: ['s1', 'p1', 'emergency', 'fatal'],
  high: ['s2', 'p2', 'major', 'page'],
  medium: ['s3', 'p3', 'error', 'alert'],
  low: ['s4', 'p4', 'warn', 'warning', 'minor'],
  info: ['s5', 'p5', 'debug', 'information', 'notice'],
  unknown: []
}

const byName = new Map(severities.flatMap(severity => [severity, ...synonyms[severity]].map(name => [name, severity] as const)))

/** What a monitoring tool calls it, whatever the case. What nobody knows is taken for the worst. */
export function readSeverity(given: unknown): Severity {
  return byName.get(typeof given === 'string' ? given.trim().toLowerCase() : '') ?? 'critical'
}
