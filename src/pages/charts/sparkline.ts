import { html } from '../layout/html.ts'
import { formatCount } from './chart.ts'

/** A small chart for a row of a list: one path, and its total and peak as text. */
export function sparkline(values: number[], period: string) {
  const peak = Math.max(0, ...values)
  const total = values.reduce((a, b) => a + b, 0)
  const label = `${period}: ${formatCount(total)} in total, at most ${formatCount(peak)} at a time`
  const bars = values.map((value, n) =>
    value > 0 ? `M${n * 4} 20V${Math.min(18.5, Math.round(200 * (1 - value / peak)) / 10)}h3V20z` : ''
  )

  return html`<svg class="sparkline" role="img" aria-label="${label}" viewBox="0 0 ${values.length * 4 - 1} 20" preserveAspectRatio="none"><title>${label}</title><path d="${bars.join('')}"/></svg>`
}
