import { html } from '../layout/html.ts'
import { type Chart, chartFrame, percent, tooltip } from './chart.ts'

/** The share of an interval that its bar fills. */
const barWidth = 0.8

/** One bar for each time; several series are stacked. */
export function barChart(chart: Chart) {
  const { times, series } = chart
  const totals = times.map((_, n) => series.reduce((sum, { values }) => sum + (values[n] ?? 0), 0))
  const top = Math.max(1, ...totals)

  return chartFrame(
    chart,
    top,
    times.map((_, n) => html`${stack(chart, n, top)}${tooltip(chart, n)}`)
  )
}

function stack({ times, series }: Chart, n: number, top: number) {
  const x = percent((n + (1 - barWidth) / 2) / times.length)
  let bottom = 0

  return series.map(({ values }, tone) => {
    const value = values[n] ?? 0
    bottom += value

    return (
      value > 0 &&
      html`<rect class="tone-${tone}" x="${x}" width="${percent(barWidth / times.length)}" y="${percent(1 - bottom / top)}" height="${percent(value / top)}"/>`
    )
  })
}
