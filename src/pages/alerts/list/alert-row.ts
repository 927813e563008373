import type { Acknowledgement } from '#alerts/details/acknowledgement-store.ts'
import type { AlertRow } from '#alerts/load-alerts.ts'
import { count, nounFor } from '#lib/counted.ts'
import { sparkline } from '#pages/charts/sparkline.ts'
import { html } from '#pages/layout/html.ts'
import { severityIcon } from '#pages/layout/severity-badge.ts'
import { statusBadge } from '#pages/layout/status-badge.ts'
import { ago, duration } from '#pages/layout/time.ts'
import type { StatusTab } from './list-query.ts'
import type { ListScope } from './list-scope.ts'

interface Row {
  scope: ListScope
  tab: StatusTab
  /** Occurrences in each of the last 24 hours. */
  hours: number[]
  acknowledgement?: Acknowledgement
  now: Date
}

export function alertRow(alert: AlertRow, { scope, tab, hours, acknowledgement, now }: Row) {
  const { id, iid, project_id: projectId, title, severity, events, assignees } = alert

  return html`
    <li data-row id="alert-${id}">
      <input type="checkbox" name="id" value="${id}" aria-label="Select ${title}" data-select>
      ${severityIcon(severity)}<span class="visually-hidden">${severity}</span>
      <div class="what">
        <a class="title" href="/projects/${projectId}/alerts/${iid}"><strong>${title}</strong></a>
        <p class="hints">${statusHint(alert, tab)} ${acknowledged(acknowledgement, now)} ${hints(alert, scope.projects?.get(projectId))}</p>
      </div>
      <div class="figures">
        ${sparkline(hours, '24h')}
        <span class="number"><b>${count(events)}</b> <span>${nounFor(events, 'occurrence')}</span></span>
        <span class="seen">${lasted(alert, now)}<span class="hint">last ${ago(new Date(alert.last_seen_at), now)}</span></span>
        <span class="assignees">${assignees.length > 0 ? assignees.map(({ username }) => html`<span>@${username}</span> `) : html`<span class="hint">unassigned</span>`}</span>
      </div>
    </li>`
}

/** The status, where the tab does not give it: open alerts are triggered unless the row says otherwise. */
function statusHint({ status }: AlertRow, tab: StatusTab) {
  return status !== tab && !(tab === 'open' && status === 'triggered') && statusBadge(status)
}

function acknowledged(acknowledgement: Acknowledgement | undefined, now: Date) {
  return (
    acknowledgement &&
    html`<span>${acknowledgement.username && `by @${acknowledgement.username} `}${ago(acknowledgement.at, now)} · </span>`
  )
}

function hints({ service, environment, hosts, issue }: AlertRow, project: string | undefined) {
  const [host, ...otherHosts] = hosts
  const given = [
    project,
    service,
    environment,
    host && `${host}${otherHosts.length > 0 ? ` +${otherHosts.length}` : ''}`,
    issue && `incident #${issue.iid}`
  ].filter(Boolean)

  return given.map((hint, n) => html`<span>${n > 0 && ' · '}${hint}</span>`)
}

/** How long the alert has been firing, or did. */
function lasted({ status, started_at: startedAt, ended_at: endedAt }: AlertRow, now: Date) {
  const start = new Date(startedAt)

  if (status === 'resolved') return html`<span>lasted ${endedAt ? duration(new Date(endedAt).getTime() - start.getTime()) : '–'}</span>`

  return html`<time datetime="${start.toISOString()}">firing ${duration(now.getTime() - start.getTime())}</time>`
}
