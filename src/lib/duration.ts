const part = /(\d{1,9}(?:\.\d{1,3})?)\s{0,9}([a-z]{0,9})[\s,]{0,9}(?:and\s{1,9})?/gy

export type DurationUnit = 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'y'

/** Seconds of a duration such as `90 minutes` or `1h 30m`, where a number alone is in `bare` units; undefined for anything else. */
export function parseDuration(given: unknown, seconds: Record<DurationUnit, number>, bare: DurationUnit) {
  const text = String(given).trim().toLowerCase().slice(0, 200)
  let total = 0
  let end = 0

  for (const match of text.matchAll(part)) {
    const unit = /^[\d.]{1,13}$/.test(text) ? bare : unitOf(match[2]!)

    if (unit === undefined) return undefined
    total += Number(match[1]) * seconds[unit]
    end = match.index + match[0].length
  }

  return text !== '' && end === text.length ? Math.round(total) : undefined
}

/** `hour`, `hours`, `hrs` and `h`, but `month` and `mo` are no minutes. */
function unitOf(word: string) {
  const [unit] = /^(?:mo|[smhdwy])/.exec(word) ?? []
  const isKnown = /^(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)$/.test(word)

  return isKnown ? (unit as DurationUnit | undefined) : undefined
}
