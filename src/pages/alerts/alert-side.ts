import { findNeighbours, findRecurrences, type RelatedAlert } from '#alerts/details/related-alert-store.ts'
import { barChart } from '../charts/bar-chart.ts'
import { html } from '../layout/html.ts'
import { severityIcon } from '../layout/severity-badge.ts'
import { statusBadge } from '../layout/status-badge.ts'
import { ago, duration } from '../layout/time.ts'
import type { AlertView } from './alert-view.ts'

const maxRelated = 8

/** Occurrences, and other alerts. */
export async function alertSide(view: AlertView) {
  const { em, alert } = view

  return html`
    ${chart(view)}
    ${list(view, 'Earlier alerts', await findRecurrences(em, alert, maxRelated), 'The same condition has not fired before.')}
    ${list(view, 'At the same time', await findNeighbours(em, alert, maxRelated), 'No other alert started within an hour.')}`
}

/** A single occurrence needs no chart. */
function chart({ alert, occurrences: { interval, counts } }: AlertView) {
  if (alert.events === 1) return undefined

  return html`<section class="error-charts">${barChart({
    title: `Occurrences by ${interval}`,
    times: counts.map(({ at }) => at),
    form: interval === 'hour' ? 'hour' : 'date',
    series: [{ name: 'Occurrences', values: counts.map(({ events }) => events) }]
  })}</section>`
}

function list(view: AlertView, title: string, alerts: RelatedAlert[], empty: string) {
  return html`
    <section>
      <h2>${title}</h2>
      ${alerts.length > 0 ? html`<ul class="plain-list related">${alerts.map(alert => row(view, alert))}</ul>` : html`<p class="hint">${empty}</p>`}
    </section>`
}

function row({ projectUrl, now }: AlertView, { iid, title, severity, status, startedAt, endedAt, issueIid }: RelatedAlert) {
  const lasted = endedAt && ` · lasted ${duration(endedAt.getTime() - startedAt.getTime())}`

  return html`
    <li>
      <p>${severityIcon(severity)}<span class="visually-hidden">${severity}</span> <a href="${projectUrl}/alerts/${iid}">${title}</a></p>
      <p class="hint">${statusBadge(status)} started ${ago(startedAt, now)}${lasted}${issueIid !== null && html` · <a href="${projectUrl}/incidents/${issueIid}">incident #${issueIid}</a>`}</p>
    </li>`
}
