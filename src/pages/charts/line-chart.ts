import { html } from '../layout/html.ts'
import { type Chart, chartFrame, type Series, tooltip } from './chart.ts'

interface LineChart extends Chart {
  /** The value at the top. Defaults to the highest. */
  top?: number
}

/** A line for each series, interrupted where there is no data. */
export function lineChart({ top: given, ...chart }: LineChart) {
  const { times, series, bottom = 0 } = chart
  const top = given ?? Math.max(bottom + 1, ...series.flatMap(({ values }) => values.filter(value => value !== undefined)))
  const lines = series.map(
    ({ values }, tone) => html`<path class="line tone-${tone}" d="${pathOf(values, bottom, top)}" vector-effect="non-scaling-stroke"/>`
  )
  // Paths take no percentages: the inner drawing is stretched to the size of the chart.
  const drawing = html`<svg viewBox="0 0 ${times.length} 100" preserveAspectRatio="none" width="100%" height="100%">${lines}</svg>`

  return chartFrame(chart, top, [drawing, ...times.map((_, n) => tooltip(chart, n))])
}

function pathOf(values: Series['values'], bottom: number, top: number) {
  return values
    .map((value, n) => {
      if (value === undefined) return ''
      const y = Math.round(Math.min(1, Math.max(0, (top - value) / (top - bottom))) * 10_000) / 100
      const isAlone = values[n - 1] === undefined && values[n + 1] === undefined

      // A value without neighbours is a short dash.
      return isAlone ? `M${n + 0.25} ${y}h.5` : `${values[n - 1] === undefined ? 'M' : 'L'}${n + 0.5} ${y}`
    })
    .join('')
}
