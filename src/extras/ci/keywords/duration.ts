import { type DurationUnit, parseDuration as parse } from '#lib/duration.ts'

const seconds: Record<DurationUnit, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, mo: 2_592_000, y: 31_536_000 }

/** Seconds of a duration such as `3600`, `90 minutes` or `1h 30m`; undefined for anything else. */
export function parseDuration(given: unknown) {
  return parse(given, seconds, 's')
}
