import type { AlertRow } from '#alerts/load-alerts.ts'
import { count, nounFor } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { severityBadge, severityIcon } from '#pages/layout/severity-badge.ts'
import { statusBadge } from '#pages/layout/status-badge.ts'
import { ago, duration } from '#pages/layout/time.ts'
import type { ListScope } from './list-scope.ts'

export function alertRow(alert: AlertRow, { projects }: ListScope, now: Date) {
  const { id, iid, project_id: projectId, title, severity, status, events, assignees } = alert

  return html`
    <li data-row id="alert-${id}">
      <input type="checkbox" name="id" value="${id}" aria-label="Select ${title}" data-select>
      ${severityIcon(severity)}
      <div class="what">
        <p class="title"><a href="/projects/${projectId}/alerts/${iid}"><strong>${title}</strong></a> ${severityBadge(severity)}</p>
        <p class="hints">${statusBadge(status)} ${hints(alert, projects?.get(projectId))}</p>
      </div>
      <div class="figures">
        <span class="number"><b>${count(events)}</b> <span>${nounFor(events, 'time')}</span></span>
        <span class="seen">${lasted(alert, now)}<span class="hint">last ${ago(new Date(alert.last_seen_at), now)}</span></span>
        <span class="assignees">${assignees.length > 0 ? assignees.map(({ username }) => html`<span>@${username}</span> `) : html`<span class="hint">unassigned</span>`}</span>
      </div>
    </li>`
}

function hints({ iid, service, environment, issue }: AlertRow, project: string | undefined) {
  const given = [project, `#${iid}`, service, environment, issue && `incident #${issue.iid}`].filter(Boolean)

  return given.map((hint, n) => html`<span>${n > 0 && ' · '}${hint}</span>`)
}

/** How long the alert has been firing, or did. */
function lasted({ status, started_at: startedAt, ended_at: endedAt }: AlertRow, now: Date) {
  const start = new Date(startedAt)

  if (status === 'resolved')
    return html`<span><span class="verb">lasted</span> ${endedAt ? duration(new Date(endedAt).getTime() - start.getTime()) : '?'}</span>`

  return html`<time datetime="${start.toISOString()}"><span class="verb">firing for</span> ${duration(now.getTime() - start.getTime())}</time>`
}
