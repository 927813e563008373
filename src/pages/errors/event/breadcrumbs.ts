import { isEmpty, type Json, objectOrUndefined, textOrUndefined, valuesOf } from '#lib/json.ts'
import { parseTime } from '#lib/time.ts'
import { html } from '#pages/layout/html.ts'
import { folded, pairs, section } from './section.ts'

const maxOpen = 10

/** What happened before the event, the latest first. */
export function breadcrumbsSection({ breadcrumbs, timestamp }: Json) {
  const crumbs = valuesOf(breadcrumbs).toReversed()

  if (crumbs.length === 0) return undefined
  const at = parseTime(timestamp)
  const list = (some: Json[]) => html`<ol class="crumbs">${some.map(crumb => crumbView(crumb, at))}</ol>`
  const older = crumbs.slice(maxOpen)

  return section(
    { id: 'breadcrumbs', title: 'Breadcrumbs' },
    html`${list(crumbs.slice(0, maxOpen))}${older.length > 0 && folded(`${older.length} older`, list(older))}`
  )
}

function crumbView({ type, category, level, message, data, timestamp }: Json, eventAt: number) {
  const name = textOrUndefined(category) ?? textOrUndefined(type) ?? 'default'
  const severity = textOrUndefined(level)
  const details = objectOrUndefined(data)

  return html`
    <li>
      <span class="when">${before(parseTime(timestamp), eventAt)}</span>
      <div>
        <p><strong>${name}</strong>${severity && severity !== 'info' && html` <span class="level" data-level="${severity}">${severity}</span>`} ${textOrUndefined(message)}</p>
        ${details && !isEmpty(details) && dataView(details)}
      </div>
    </li>`
}

function dataView(data: Json) {
  const isShort = Object.values(data).every(value => typeof value !== 'object')

  if (!isShort) return pairs(data)

  return html`<p class="data">${Object.entries(data).map(([name, value]) => html`<span>${name} <code>${String(value)}</code></span>`)}</p>`
}

/** The time before the event: `−1.3 s`. */
function before(at: number, eventAt: number) {
  if (Number.isNaN(at)) return undefined
  const time = new Date(at).toISOString()
  const seconds = (eventAt - at) / 1000
  const text =
    Number.isNaN(seconds) || Math.abs(seconds) >= 86_400
      ? time.slice(11, 19)
      : Math.abs(seconds) < 60
        ? inSeconds(seconds)
        : `−${Math.round(seconds / 60)} min`

  return html`<time datetime="${time}" title="${time.replace('T', ' ').replace('Z', ' UTC')}">${text.replace('−-', '+')}</time>`
}

function inSeconds(seconds: number) {
  return Math.abs(seconds) < 0.05 ? '0 s' : `−${seconds.toFixed(1)} s`
}
