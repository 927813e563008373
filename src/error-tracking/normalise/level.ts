const known = new Set(['fatal', 'error', 'warning', 'info', 'debug'])

/** What loggers of other languages call theirs; Python's are numbers. */
const others = new Map([
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

/** One of the five levels of the protocol; an error, when nothing else is known. */
export function readLevel(given: unknown) {
  if (known.has(given as string)) return given as string
  if (typeof given !== 'string' && typeof given !== 'number') return 'error'
  const level = String(given).slice(0, 20).trim().toLowerCase()

  return known.has(level) ? level : (others.get(level) ?? 'error')
}
