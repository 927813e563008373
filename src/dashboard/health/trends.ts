import { secondsBefore } from '#platform/observability/samples/levels.ts'
import { diskValue } from '#platform/observability/samples/sample-health.ts'
import type { Sample } from '#platform/observability/samples/sample-store.ts'
import { totalName } from '#platform/observability/totals.ts'

const daySeconds = 86_400
/** A shorter trend says little: a backup may be under way. */
const leastTrendSeconds = daySeconds / 4

/** The days until a disk is full, by its trend over the last week. Undefined while it does not fill. */
export function daysUntilFull(samples: Sample[], disk: string, now: Date) {
  const name = diskValue(disk)
  const points = samples
    .filter(({ at, values }) => at > secondsBefore(now, 7 * daySeconds) && values[name] !== undefined)
    .map(({ at, values }) => ({ x: (at.getTime() - now.getTime()) / 1000, y: values[name]! }))

  if (points.length < 3 || points.at(-1)!.x - points[0]!.x < leastTrendSeconds) return undefined
  const bytesPerSecond = slopeOf(points)

  return bytesPerSecond < 0 ? points.at(-1)!.y / -bytesPerSecond / daySeconds : undefined
}

/** The slope of the least-squares line. */
function slopeOf(points: { x: number; y: number }[]) {
  const [meanX, meanY] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))]
  const [above, below] = points.reduce(
    ([above, below], { x, y }) => [above + (x - meanX) * (y - meanY), below + (x - meanX) ** 2] as [number, number],
    [0, 0] as [number, number]
  )

  return below === 0 ? 0 : above / below
}

function meanOf(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The first failure since mail was accepted last; undefined while it is. */
export function mailFailingSince(samples: Sample[]) {
  let since: Date | undefined

  for (const [n, { at, values }] of samples.entries()) {
    const before = samples[n - 1]?.values
    const grew = (outcome: string) => before && (values[mailTotal(outcome)] ?? 0) > (before[mailTotal(outcome)] ?? 0)

    if (grew('sent') || grew('refused')) since = undefined
    else if (grew('failed')) since ??= at
  }

  return since
}

function mailTotal(outcome: string) {
  return totalName('tocsin_mails_total', 'outcome', outcome)
}

/** Items per second that were dropped within the last minutes although they need not be, by reason. */
export function avoidableDrops(samples: Sample[]) {
  const [first, last] = [samples[0], samples.at(-1)]
  const seconds = first && last ? (last.at.getTime() - first.at.getTime()) / 1000 : 0

  return seconds === 0
    ? []
    : avoidable.flatMap(reason => {
        const name = totalName('tocsin_dropped_items_total', 'reason', reason)
        const items = (last!.values[name] ?? 0) - (first!.values[name] ?? 0)

        return items > 0 ? [{ reason, perSecond: items / seconds }] : []
      })
}

/** Others are the sender's, or what the project wants. */
const avoidable = ['queue_full', 'unavailable', 'busy', 'failed', 'internal']
