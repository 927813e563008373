import { byteSize } from '#lib/counted.ts'
import { formatCount, type Series } from '#pages/charts/chart.ts'
import { lineChart } from '#pages/charts/line-chart.ts'
import { html } from '#pages/layout/html.ts'
import { reasonName } from '#pages/projects/intake-health.ts'
import { queueValue, tableValue } from '#platform/observability/samples/sample-health.ts'
import { bucketsOf, labelsOf, peaksOf, quantilesOf, ratesOf } from '#platform/observability/samples/series.ts'
import { totalName } from '#platform/observability/totals.ts'
import { rate } from './health-problem.ts'
import type { History, Period } from './periods.ts'

/** Colours and dashes tell so many series apart. */
const maxSeries = 4

type Values = Series['values']

/** The plots of a period. */
export function healthCharts(history: History, { form }: Period, queues: string[]) {
  const { span } = history
  const chart = (title: string, series: Series[], write: (value: number) => string) =>
    lineChart({
      title: series.length === 1 ? `${title}: ${series[0]!.name}` : title,
      times: span.times,
      form,
      series,
      write,
      top: topOf(series)
    })
  const ofQueues = (title: string, what: string, write: (value: number) => string) => {
    const series = largest(queues.map(name => ({ name, values: valuesOf(history, what, name) })).filter(hasValues))

    return series.length > 0 ? chart(title, series, write) : quiet(title, 'Nothing waited.')
  }
  const drops = dropsByReason(history)
  const failed = largest(queues.map(name => ({ name, values: valuesOf(history, 'failed', name) })).filter(hasValues))
  const mail = mailSeries(history)
  const jobs = jobSeries(history)

  return html`
    <div class="columns">
      ${chart('Items per second', itemSeries(history), rate)}
      <div id="drops">${drops.length > 0 ? chart('Dropped per second', drops, rate) : quiet('Dropped per second', 'Nothing was dropped.')}</div>
      ${chart('Time to stored', timeSeries(history), seconds)}
      ${ofQueues('Waiting items', 'waiting', count)}
      ${ofQueues('Age of the oldest item', 'oldest', seconds)}
      ${jobs.length > 0 && chart('Jobs that run at a time', jobs, rate)}
      ${chart('Processors in use', cpuSeries(history), rate)}
      ${failed.length > 0 && chart('Failed jobs that are kept', failed, count)}
      ${mail.some(hasValues) && chart('Attempts to send mail per minute', mail, rate)}
    </div>`
}

/** Replaces a chart that has no values. */
function quiet(title: string, text: string) {
  return html`<figure class="chart"><figcaption>${title}</figcaption><p class="empty">${text}</p></figure>`
}

/** Sizes are sampled less often than the rest. */
export function databaseChart({ span, samples }: History, { form }: Period) {
  const tables = labelsOf(samples, 'table_bytes', 'table').map(name => ({ name, values: peaksOf(samples, tableValue(name), span) }))
  const total = { name: 'all tables', values: peaksOf(samples, 'database_bytes', span) }
  const series = [total, ...largest(tables).slice(0, maxSeries - 1)]

  if (samples.length < 2) return quiet('Size of the database', 'No samples yet.')

  return lineChart({ title: 'Size of the database', times: span.times, form, series, write: byteSize, top: topOf(series) })
}

function itemSeries({ span, samples }: History): Series[] {
  const sum = (metric: string, label: string, isCounted: (value: string) => boolean = () => true) =>
    sumOf(
      labelsOf(samples, metric, label)
        .filter(isCounted)
        .map(value => ratesOf(samples, totalName(metric, label, value), span)),
      samples.length > 0 ? ratesOf(samples, '', span) : span.times.map(() => undefined)
    )

  return [
    { name: 'received', values: sum('tocsin_accepted_items_total', 'queue', queue => queue !== 'activity') },
    { name: 'stored', values: sum('tocsin_stored_items_total', 'category') },
    { name: 'dropped', values: sum('tocsin_dropped_items_total', 'reason') }
  ]
}

function dropsByReason({ span, samples }: History) {
  const series = labelsOf(samples, 'tocsin_dropped_items_total', 'reason').map(reason => ({
    name: reasonName(reason),
    values: ratesOf(samples, totalName('tocsin_dropped_items_total', 'reason', reason), span)
  }))

  return largest(series.filter(hasValues))
}

function timeSeries({ span, samples }: History): Series[] {
  const buckets = bucketsOf(samples, 'tocsin_time_to_stored_seconds')

  return [50, 95, 99].map(percent => ({ name: `p${percent}`, values: quantilesOf(samples, buckets, percent / 100, span) }))
}

function jobSeries({ span, samples }: History) {
  const jobs = labelsOf(samples, 'tocsin_job_seconds_sum', 'job_name')

  return largest(jobs.map(name => ({ name, values: ratesOf(samples, totalName('tocsin_job_seconds_sum', 'job_name', name), span) })))
}

function cpuSeries({ span, samples }: History): Series[] {
  return ['web', 'worker'].map(role => ({
    name: role,
    values: ratesOf(samples, totalName('process_cpu_seconds_total', 'role', role), span)
  }))
}

function mailSeries({ span, samples }: History): Series[] {
  return ['sent', 'refused', 'failed'].map(name => ({
    name,
    values: ratesOf(samples, totalName('tocsin_mails_total', 'outcome', name), span).map(value => value && value * 60)
  }))
}

function valuesOf({ span, samples }: History, what: string, queue: string): Values {
  return peaksOf(samples, queueValue(what, queue), span)
}

function hasValues({ values }: Series) {
  return values.some(Boolean)
}

/** The series with the highest values; the others are one. */
function largest(series: Series[]): Series[] {
  const peakOf = ({ values }: Series) => Math.max(0, ...values.map(value => value ?? 0))
  const sorted = series.toSorted((a, b) => peakOf(b) - peakOf(a))
  const [shown, others] = sorted.length > maxSeries ? [sorted.slice(0, maxSeries - 1), sorted.slice(maxSeries - 1)] : [sorted, []]

  return others.length > 0 ? [...shown, { name: `${others.length} others`, values: sumOf(others.map(({ values }) => values)) }] : shown
}

function sumOf(series: Values[], start: Values = series[0]!.map(() => undefined)): Values {
  return start.map((first, n) =>
    series.reduce<number | undefined>((sum, values) => (values[n] === undefined ? sum : (sum ?? 0) + values[n]), first)
  )
}

/** A tenth above the highest value, so that a chart of nothing is a line at its bottom. */
function topOf(series: Series[]) {
  return Math.max(0, ...series.flatMap(({ values }) => values.map(value => value ?? 0))) || 1
}

function count(value: number) {
  return formatCount(Math.round(value))
}

function seconds(value: number) {
  if (value < 1) return `${Math.round(value * 1000)} ms`
  if (value < 90) return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`

  return value < 5400 ? `${Math.round(value / 60)} min` : `${Math.round(value / 3600)} h`
}
