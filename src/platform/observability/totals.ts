import type pg from 'pg'
import { addTotals } from './samples/sample-store.ts'

/** The labels and, of histograms, the parts that are kept; all others are summed up. */
const kept: Record<string, { labels: string[]; parts?: string[] }> = {
  tocsin_accepted_items_total: { labels: ['queue'] },
  tocsin_stored_items_total: { labels: ['category'] },
  tocsin_dropped_items_total: { labels: ['reason'] },
  tocsin_time_to_stored_seconds: { labels: ['le'], parts: ['bucket'] },
  // Prometheus has a label `job` of its own.
  tocsin_job_seconds: { labels: ['job_name'], parts: ['sum'] },
  tocsin_jobs_total: { labels: ['outcome'] },
  tocsin_deliveries_total: { labels: ['outcome'] },
  tocsin_mails_total: { labels: ['outcome'] },
  process_cpu_seconds_total: { labels: ['role'] }
}

/** A metric as a registry lists it. */
export interface Measured {
  name: string
  values: { value: number; labels: Record<string, string | number | undefined>; metricName?: string }[]
}

/**
 * The counters of all processes together, in the database. Each process adds what it has counted since its last heartbeat, so that totals
 * only grow, whichever processes start or end.
 */
export class MetricTotals {
  #flushed = new Map<string, number>()

  async flush(pool: pg.Pool, metrics: Measured[], role: string) {
    const counted = countersIn(metrics, role)
    const added = [...counted].flatMap(([name, value]) => {
      const more = value - (this.#flushed.get(name) ?? 0)

      return more > 0 ? [{ name, value: more }] : []
    })

    await addTotals(pool, added)
    this.#flushed = counted
  }
}

/** Names as Prometheus writes them: `tocsin_stored_items_total{category="error"}`. */
export function totalName(metric: string, label: string, value: string) {
  return `${metric}{${label}="${value}"}`
}

function countersIn(metrics: Measured[], role: string) {
  const totals = new Map<string, number>()

  for (const { name, values } of metrics) {
    const { labels, parts } = kept[name] ?? {}

    if (!labels) continue
    for (const { value, labels: given, metricName = name } of values) {
      if (parts && !parts.some(part => metricName === `${name}_${part}`)) continue
      const known: Record<string, string | number | undefined> = { ...given, role }
      const key = `${metricName}{${labels.map(label => `${label}="${known[label]}"`).join()}}`

      totals.set(key, (totals.get(key) ?? 0) + value)
    }
  }

  return totals
}
