import { count } from '#lib/counted.ts'
import { type Html, html } from '../layout/html.ts'
import { type TimeForm, timeIn } from '../layout/time.ts'

export interface Chart {
  /** Caption, and the name for screen readers. */
  title: string
  /** The starts of equal intervals, oldest first. */
  times: Date[]
  /** The form of times: `hour` within days, `date` within weeks. */
  form: TimeForm
  series: Series[]
  marks?: Mark[]
  /** The form of a value, as "99.5 %". */
  write?: (value: number) => string
  /** The value at the bottom, which is shown unless it is 0. */
  bottom?: number
}

export interface Series {
  name: string
  /** One value for each time; undefined when there is no data. */
  values: (number | undefined)[]
}

/** An event such as a release: a vertical line, and an entry in the list below the chart. */
export interface Mark {
  at: Date
  name: string
  url?: string
}

/**
 * A chart with legend, axes, marks, and its data as a table. Positions are percentages, so that text is not stretched; colours are
 * classes, because the CSP allows no inline styles.
 */
export function chartFrame(chart: Chart, top: number, drawing: Html[]) {
  const { title, times, form, series, write = formatCount, bottom = 0 } = chart
  const marks = (chart.marks ?? []).map(mark => ({ ...mark, x: positionOf(mark.at, times) })).filter(({ x }) => x >= 0 && x <= 1)

  return html`
    <figure class="chart">
      <figcaption>${title}${series.length > 1 && legend(series)}</figcaption>
      <div class="plot">
        <span class="top-value" aria-hidden="true">${write(top)}</span>
        <svg role="img" aria-label="${summaryOf(chart)}">${drawing}${marks.map(({ x, name }) => html`<line class="mark" x1="${percent(x)}" x2="${percent(x)}" y1="0" y2="100%"><title>${name}</title></line>`)}</svg>
        ${bottom > 0 && html`<span class="bottom-value" aria-hidden="true">${write(bottom)}</span>`}
      </div>
      <p class="x-axis" aria-hidden="true">${[times[0], times[times.length >> 1], times.at(-1)].map(at => at && timeIn(form, at))}</p>
      ${marks.length > 0 && html`<ul class="marks">${marks.map(({ at, name, url }) => html`<li>${url ? html`<a href="${url}">${name}</a>` : name} <span class="hint">${timeIn('minute', at)}</span></li>`)}</ul>`}
      ${dataTable(chart)}
    </figure>`
}

/** A share of the width or the height. */
export function percent(share: number) {
  return `${Math.round(share * 10_000) / 100}%`
}

/** An area over the full height that shows the values of one time. */
export function tooltip({ times, form, series, write = formatCount }: Chart, n: number) {
  const values = series.map(({ name, values }) => `${name} ${writeOr(values[n], write)}`)

  return html`<rect class="hit" x="${percent(n / times.length)}" width="${percent(1 / times.length)}" y="0" height="100%"><title data-at="${times[n]!.toISOString()}" data-as="${form}">: ${values.join(', ')}</title></rect>`
}

/** "9,999", and from there on "10K", "12.3M": where room is short. */
export function formatCount(value: number) {
  return value < 10_000 ? count(value) : compact.format(value)
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function legend(series: Series[]) {
  return html` <span class="legend">${series.map(({ name }, n) => html`<span><i class="swatch tone-${n}"></i>${name}</span>`)}</span>`
}

function dataTable({ times, form, series, write = formatCount }: Chart) {
  return html`
    <details class="chart-data">
      <summary>Show as table</summary>
      <table>
        <thead><tr><th scope="col">Time</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${times.map((at, n) => html`<tr><th scope="row">${timeIn(form, at)}</th>${series.map(({ values }) => html`<td>${writeOr(values[n], write)}</td>`)}</tr>`)}</tbody>
      </table>
    </details>`
}

function summaryOf({ title, series, write = formatCount }: Chart) {
  const parts = series.map(({ name, values }) => {
    const measured = values.filter(value => value !== undefined)
    if (measured.length === 0) return `${name}: no data`

    return `${name}: ${write(Math.min(...measured))} to ${write(Math.max(...measured))}, last ${write(measured.at(-1)!)}`
  })

  return `${title}. ${parts.join('; ')}`
}

function positionOf(at: Date, times: Date[]) {
  const [first = at, second = first] = times
  const width = (second.getTime() - first.getTime()) * times.length || 1

  return (at.getTime() - first.getTime()) / width
}

function writeOr(value: number | undefined, write: (value: number) => string) {
  return value === undefined ? 'no data' : write(value)
}
