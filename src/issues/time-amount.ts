import { type DurationUnit, parseDuration } from '#lib/duration.ts'

/** A week has five days of eight hours, a month four weeks, as in GitLab. */
const seconds: Record<DurationUnit, number> = { s: 1, m: 60, h: 3600, d: 28_800, w: 144_000, mo: 576_000, y: 6_912_000 }
const maxSeconds = 2_147_483_647

/** Seconds of GitLab's `1w 2d 3h`; negative after a minus. A number alone is in hours. Undefined for anything else. */
export function parseTimeAmount(given: string) {
  const text = given.trim()
  const isNegative = text.startsWith('-')
  const total = parseDuration(isNegative ? text.slice(1) : text, seconds, 'h')

  return total === undefined || total > maxSeconds ? undefined : isNegative ? -total : total
}

/** As `1w 2d 3h`; null for none. */
export function writeTimeAmount(total: number) {
  let rest = Math.abs(total)
  const parts = (['mo', 'w', 'd', 'h', 'm', 's'] as const).flatMap(unit => {
    const count = Math.floor(rest / seconds[unit])

    rest -= count * seconds[unit]

    return count > 0 ? [`${count}${unit}`] : []
  })

  return parts.length > 0 ? parts.join(' ') : null
}

export function presentTimeStats({ time_estimate: estimate, time_spent: spent }: { time_estimate: number; time_spent: number }) {
  return {
    time_estimate: estimate,
    total_time_spent: spent,
    human_time_estimate: writeTimeAmount(estimate),
    human_total_time_spent: writeTimeAmount(spent)
  }
}
