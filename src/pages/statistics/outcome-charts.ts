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
import { reasonMeanings } from './reason-meanings.ts'

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
