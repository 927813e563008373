const levels = new Set(['fatal', 'error', 'warning', 'info', 'debug'])

/** Levels of other loggers; Python's are numbers. */
const synonyms = new Map([
  ['warn', 'warning'],
  ['err', 'error'],
  ['severe', 'error'],
  ['critical', 'fatal'],
  ['crit', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['emerg', 'fatal'],
  ['panic', 'fatal'],
  ['log', 'info'],
  ['notice', 'info'],
  ['information', 'info'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['fine', 'debug'],
  ['10', 'debug'],
  ['20', 'info'],
  ['30', 'warning'],
  ['40', 'error'],
  ['50', 'fatal']
])

/** One of Sentry's levels; `error` for anything unknown. */
export function normaliseLevel(value: unknown) {
  if (levels.has(value as string)) return value as string
  if (typeof value !== 'string' && typeof value !== 'number') return 'error'
  const level = String(value).slice(0, 20).trim().toLowerCase()

  return levels.has(level) ? level : (synonyms.get(level) ?? 'error')
}
