import {
  countsByCategory,
  countsByReason,
  type NamedCount,
  type NamedSeries,
  seriesByName,
  seriesByOutcome,
  totalsByName
} from '#errors/stats/outcome-series.ts'
import type { DayStats } from '#errors/stats/read-stats.ts'
import { count } from '#lib/counted.ts'
import { barChart } from '../charts/bar-chart.ts'
import { html } from '../layout/html.ts'
import { figure, reasonName } from '../projects/intake-health.ts'

/** Why items were dropped, or discarded by SDKs. docs/sdks.md lists the first ones, too. */
const reasonMeanings: Record<string, string> = {
  quota: 'The project or the client key exceeded its quota.',
  spike: 'Spike protection: counted, but not stored.',
  queue_full: 'The queue was full; the SDK may send again.',
  unavailable: 'The queue did not answer; the SDK may send again.',
  busy: 'Too many large envelopes were being read; the SDK may send again.',
  origin: 'The client key does not allow the page’s origin.',
  too_large: 'Above a size limit.',
  too_many: 'More attachments than an event may have.',
  invalid: 'Malformed.',
  invalid_session: 'A session that is malformed or too old.',
  unreadable: 'Not a JSON object.',
  duplicate: 'An event with this ID was already stored.',
  unsupported: 'An item type that is not stored.',
  failed: 'Could not be stored; counted as stored if a retry succeeds.',
  internal: 'A server error.',
  filtered_browser_extension: 'Inbound filter: browser extensions.',
  filtered_web_crawler: 'Inbound filter: web crawlers.',
  filtered_localhost: 'Inbound filter: localhost.',
  filtered_legacy_browsers: 'Inbound filter: legacy browsers.',
  filtered_release: 'Inbound filter: releases.',
  filtered_message: 'Inbound filter: error messages.',
  sample_rate: 'Not sampled (sampleRate of the SDK).',
  before_send: 'Dropped by the program’s beforeSend.',
  event_processor: 'Dropped by the program’s event processor.',
  ignored: 'Ignored because of SDK options.',
  ratelimit_backoff: 'The SDK waited after a 429.',
  network_error: 'The network failed.',
  send_error: 'The server refused it.',
  queue_overflow: 'The SDK’s queue was full.',
  cache_overflow: 'The SDK’s offline cache was full.',
  buffer_overflow: 'The SDK’s buffer was full.',
  backpressure: 'The SDK sampled less under load.',
  too_big: 'Above an SDK size limit.'
}

/** Colours tell so many series apart. */
const maxSeries = 4

interface Outcomes {
  /** UTC days, oldest first. */
  days: string[]
  stats: DayStats[]
  /** Received items by the name of their client key. */
  keyCounts: NamedCount[]
}

/** Each chart has its numbers as a table. */
export function outcomeCharts({ days, stats, keyCounts }: Outcomes) {
  const sum = (name: 'received' | 'stored' | 'dropped') => stats.reduce((sum, day) => sum + day[name], 0)
  const drops = countsByReason(stats, 'drops')
  const losses = countsByReason(stats, 'losses')
  const lost = losses.reduce((sum, { items }) => sum + items, 0)
  const chart = (title: string, counts: NamedCount[]) => dailyChart(title, days, seriesByName(days, counts, maxSeries))

  return html`
    <dl class="totals">
      ${figure('received', sum('received'))}
      ${figure('stored', sum('stored'))}
      ${figure('dropped', sum('dropped'))}
      ${figure('lost before sending', lost)}
    </dl>
    ${
      sum('received') + lost === 0
        ? html`<p class="empty">Nothing was received in this period.</p>`
        : html`
          ${dailyChart('By outcome', days, seriesByOutcome(days, stats))}
          <div class="columns">${chart('By category', countsByCategory(stats))}${chart('By client key', keyCounts)}</div>
          ${reasonSection('Reasons for drops', 'Dropped items', days, drops)}
          ${reasonSection('Reasons for losses before sending', 'Lost items', days, losses)}`
    }`
}

function dailyChart(title: string, days: string[], series: NamedSeries[]) {
  const named = series.map(({ name, values }) => ({ name: reasonName(name), values }))

  return series.length > 0 && barChart({ title, times: days.map(day => new Date(day)), form: 'date', series: named })
}

function reasonSection(title: string, chart: string, days: string[], counts: NamedCount[]) {
  if (counts.length === 0) return html`<h2>${title}</h2><p class="hint">None in this period.</p>`

  return html`
    <h2>${title}</h2>
    ${dailyChart(chart, days, seriesByName(days, counts, maxSeries))}
    <table>
      <thead><tr><th scope="col">Reason</th><th scope="col">Items</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${totalsByName(counts).map(([reason, items]) => html`<tr><td>${reasonName(reason)}</td><td>${count(items)}</td><td class="hint">${reasonMeanings[reason]}</td></tr>`)}</tbody>
    </table>`
}
