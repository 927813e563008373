import type { LastComment } from '#issues/incident-store.ts'
import type { IncidentStatus } from '#issues/issue-note.ts'
import type { IssueRow } from '#issues/load-issues.ts'
import { html } from '../layout/html.ts'
import { severityIcon } from '../layout/severity-badge.ts'
import { ago, duration } from '../layout/time.ts'
import { issueUrl } from './incident-context.ts'
import { incidentStatusBadge } from './status-updates.ts'

interface Options {
  /** The name of the project, in a list over several. */
  project?: string
  status?: IncidentStatus
  last?: LastComment
  now: Date
}

/** An incident or an issue: how severe, what was said last, who leads and for how long it is open. */
export function issueListRow(row: IssueRow, { project, status, last, now }: Options) {
  const { iid, project_id: projectId, title, severity, issue_type: type, labels } = row
  const isIncident = type === 'incident'

  return html`
    <li data-row id="issue-${row.id}">
      ${isIncident && html`${severityIcon(severity)}<span class="visually-hidden">${severity}</span>`}
      <div class="what">
        <a class="title" href="${issueUrl(`/projects/${projectId}`, type, iid)}"><strong>${title}</strong></a>
        <p class="hints">${status && incidentStatusBadge(status)} ${labels.map(({ name }) => html`<span class="badge">${name}</span> `)}<span>${project && `${project} `}#${iid}</span>${lastSaid(last, now)}</p>
      </div>
      <div class="figures">
        <span class="seen">${openFor(row, now)}</span>
        <span class="assignees">${leader(row)}</span>
      </div>
    </li>`
}

/** Markdown is shown as it was written. */
function lastSaid(last: LastComment | undefined, now: Date) {
  return (
    last &&
    html`<span> · ${last.username && `@${last.username}: `}“${last.body.replaceAll(/\s+/g, ' ')}” ${ago(last.created_at, now)}</span>`
  )
}

function openFor({ state, created_at: at, closed_at: closedAt }: IssueRow, now: Date) {
  const start = new Date(at)
  const lasted = duration((closedAt ? new Date(closedAt) : now).getTime() - start.getTime())

  return html`<time datetime="${start.toISOString()}"><span class="verb">${state === 'opened' ? 'open for' : 'closed after'}</span> ${lasted}</time>`
}

/** The first assignee leads. */
function leader({ assignees, issue_type: type }: IssueRow) {
  const [first, ...others] = assignees

  if (!first) return html`<span class="hint">${type === 'incident' ? 'no lead' : 'unassigned'}</span>`

  return `@${first.username}${others.length > 0 ? ` +${others.length}` : ''}`
}
