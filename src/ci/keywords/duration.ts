const seconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, mo: 2_592_000, y: 31_536_000 }
const part = /(\d{1,9}(?:\.\d{1,3})?)\s{0,9}([a-z]{0,9})[\s,]{0,9}(?:and\s{1,9})?/gy

/** Seconds of a duration such as `3600`, `90 minutes` or `1h 30m`; undefined for anything else. */
export function parseDuration(given: unknown) {
  const text = String(given).trim().toLowerCase().slice(0, 200)
  let total = 0
  let end = 0

  for (const match of text.matchAll(part)) {
    // A number alone counts seconds.
    const unit = /^[\d.]{1,13}$/.test(text) ? 1 : secondsOf(match[2]!)

    if (unit === undefined) return undefined
    total += Number(match[1]) * unit
    end = match.index + match[0].length
  }

  return text !== '' && end === text.length ? Math.round(total) : undefined
}

/** `hour`, `hours`, `hrs` and `h`, but `month` and `mo` are no minutes. */
function secondsOf(word: string) {
  const [unit] = /^(?:mo|[smhdwy])/.exec(word) ?? []
  const isKnown = /^(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)$/.test(word)

  return isKnown && unit ? seconds[unit] : undefined
}
