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
  now: Date
}

/** An incident or an issue in two lines. */
export function issueListRow(row: IssueRow, { project, status, now }: Options) {
  const {
    iid,
    project_id: projectId,
    title,
    severity,
    state,
    issue_type: type,
    created_at: at,
    closed_at: closedAt,
    assignees,
    labels
  } = row
  const [opened, closed] = [new Date(at), closedAt ? new Date(closedAt) : undefined]
  const isIncident = type === 'incident'
  const hints = [
    isIncident && html`<span class="severity ${severity}">${severity}</span>`,
    project,
    `#${iid}`,
    assignees.map(({ username }) => `@${username}`).join(', ') || 'unassigned',
    state === 'opened' ? html`opened ${ago(opened, now)}` : html`closed after ${duration((closed ?? now).getTime() - opened.getTime())}`
  ].filter(Boolean)

  return html`
    <li data-row id="issue-${row.id}">
      ${isIncident && severityIcon(severity)}
      <div>
        <p><a href="${issueUrl(`/projects/${projectId}`, type, iid)}"><strong>${title}</strong></a> ${status && incidentStatusBadge(status)} ${labels.map(({ name }) => html`<span class="badge">${name}</span> `)}</p>
        <p class="hint">${hints.map((hint, n) => html`${n > 0 && ' · '}${hint}`)}</p>
      </div>
    </li>`
}
