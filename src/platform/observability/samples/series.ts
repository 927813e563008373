import type { Sample } from './sample-store.ts'

export interface Span {
  /** The starts of equal intervals, oldest first. */
  times: Date[]
  stepSeconds: number
}

type Values = (number | undefined)[]

export function spanUntil(now: Date, stepSeconds: number, steps: number): Span {
  const step = stepSeconds * 1000
  const end = Math.floor(now.getTime() / step) * step

  return { times: Array.from({ length: steps }, (_, n) => new Date(end - (steps - 1 - n) * step)), stepSeconds }
}

/** The increase of a total per second in each interval; undefined where nothing was sampled. A total that was not there yet was 0. */
export function ratesOf(samples: Sample[], name: string, span: Span): Values {
  return changesOf(samples, span).map(change => change && increase(change, name) / change.seconds)
}

/** The highest value in each interval. */
export function peaksOf(samples: Sample[], name: string, span: Span): Values {
  return groupByInterval(samples, span).map(group => {
    const values = group.flatMap(({ values }) => values[name] ?? [])

    return values.length > 0 ? Math.max(...values) : undefined
  })
}

/** A quantile of a histogram in each interval, interpolated within its bucket as Prometheus does. Undefined where nothing was observed. */
export function quantilesOf(samples: Sample[], buckets: Bucket[], quantile: number, span: Span): Values {
  return changesOf(samples, span).map(
    change =>
      change &&
      quantileOf(
        buckets.map(bucket => ({ ...bucket, count: increase(change, bucket.name) })),
        quantile
      )
  )
}

export interface Bucket {
  /** The name of its total. */
  name: string
  /** Its upper bound. */
  bound: number
}

/** The buckets that occur in the samples, by their bounds. */
export function bucketsOf(samples: Sample[], metric: string): Bucket[] {
  const prefix = `${metric}_bucket{le="`

  return namesOf(samples, prefix)
    .map(name => ({ name, bound: toBound(name.slice(prefix.length, -2)) }))
    .sort((a, b) => a.bound - b.bound)
}

function toBound(text: string) {
  return text === '+Inf' ? Infinity : Number(text)
}

/** The values of the label of a metric, such as the reasons of drops. */
export function labelsOf(samples: Sample[], metric: string, label: string) {
  const prefix = `${metric}{${label}="`

  return namesOf(samples, prefix).map(name => name.slice(prefix.length, -2))
}

function namesOf(samples: Sample[], prefix: string) {
  return [...new Set(samples.flatMap(({ values }) => Object.keys(values)))].filter(name => name.startsWith(prefix)).sort()
}

interface Change {
  before: Sample
  after: Sample
  seconds: number
}

/** From the last sample before an interval to its last one. */
function changesOf(samples: Sample[], span: Span): (Change | undefined)[] {
  const groups = groupByInterval(samples, span)

  return groups.map(group => {
    const before = group[0] && samples[samples.indexOf(group[0]) - 1]
    const [first, after] = [before ?? group[0], group.at(-1)]

    return first && after && after.at > first.at
      ? { before: first, after, seconds: (after.at.getTime() - first.at.getTime()) / 1000 }
      : undefined
  })
}

function groupByInterval(samples: Sample[], { times, stepSeconds }: Span) {
  const groups: Sample[][] = times.map(() => [])

  for (const sample of samples) groups[Math.floor((sample.at.getTime() - times[0]!.getTime()) / (stepSeconds * 1000))]?.push(sample)

  return groups
}

/** Totals only grow, unless the tables were emptied. */
function increase({ before, after }: Change, name: string) {
  return Math.max(0, (after.values[name] ?? 0) - (before.values[name] ?? 0))
}

function quantileOf(buckets: (Bucket & { count: number })[], quantile: number) {
  const total = buckets.at(-1)?.count ?? 0
  const rank = quantile * total
  const n = buckets.findIndex(({ count }) => count >= rank)

  if (total === 0) return undefined
  const { bound, count } = buckets[n]!
  const { bound: lower, count: below } = buckets[n - 1] ?? { bound: 0, count: 0 }

  return bound === Infinity ? lower : lower + ((bound - lower) * (rank - below)) / Math.max(1, count - below)
}
