import type { DailyOutcomes } from '#errors/stats/daily-outcomes.ts'
import { formatCount } from '../charts/chart.ts'
import { html } from '../layout/html.ts'

const maxReasons = 4

/** Received, stored and dropped error events, with the reasons. */
export function intakeHealth({ totals, drops }: DailyOutcomes, days: number) {
  const { stored, dropped } = totals

  return html`
    <section class="health">
      <h2>Error events received, ${days} days</h2>
      <dl class="totals">
        ${figure('received', stored + dropped)}
        ${figure('stored', stored)}
        ${figure('dropped', dropped)}
      </dl>
      ${
        drops.length > 0
          ? html`<p class="hint">Dropped: ${drops.slice(0, maxReasons).map(([reason, items], n) => html`${n > 0 && ', '}${formatCount(items)} ${reasonName(reason)}`)}</p>`
          : html`<p class="hint">Nothing was dropped.</p>`
      }
    </section>`
}

export function figure(name: string, value: number | string) {
  return html`<div><dt>${name}</dt><dd>${typeof value === 'number' ? formatCount(value) : value}</dd></div>`
}

/** `too_large` as "too large". */
export function reasonName(reason: string) {
  return reason.replaceAll('_', ' ')
}
