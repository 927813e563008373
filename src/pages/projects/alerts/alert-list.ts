import type { FastifyInstance } from 'fastify'
import { type AlertStatus, alertStatuses } from '../../../alerts/alert.ts'
import { type AlertFilter, countByStatus, listAlerts } from '../../../alerts/list-alerts.ts'
import type { AlertRow } from '../../../alerts/load-alerts.ts'
import { severities } from '../../../lib/severity.ts'
import { Role } from '../../../projects/members/member.ts'
import { severityBadge } from '../../layout/badges/severity-badge.ts'
import { statusBadge } from '../../layout/badges/status-badge.ts'
import { field, selectField } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { type PageContext, pageContext } from '../page-context.ts'
import { projectPage, tabLink } from '../project-page.ts'

const perPage = 50
const openStatuses: AlertStatus[] = ['triggered', 'acknowledged']

interface AlertsQuery {
  status?: string
  search?: string
  severity?: string
  before?: string
}

/** Alerts, newest first. */
export async function alertsPage(app: FastifyInstance) {
  app.get<{ Querystring: AlertsQuery }>('/projects/:id/alerts', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { status = 'open', search = '', severity = '', before = '' } = request.query
    const filter: AlertFilter = {
      projectId: context.project.id,
      search: search.replaceAll('\0', '').slice(0, 200) || undefined,
      severities: readChoice(severities, severity)
    }
    const counts = await countByStatus(context.em, filter)
    const statuses = status === 'open' ? openStatuses : readChoice(alertStatuses, status)
    const beforeIid = Number.parseInt(before, 10)
    const rows = await listAlerts(context.em, { ...filter, statuses }).listAfter(
      Number.isSafeInteger(beforeIid) ? [beforeIid, beforeIid] : undefined,
      perPage + 1
    )
    const alerts = rows.slice(0, perPage)
    const linkTo = (changes: AlertsQuery) => listUrl(context, { status, search, severity, ...changes })

    return projectPage(
      reply,
      context,
      { title: 'Alerts', tab: 'alerts' },
      html`
      <h1>Alerts</h1>
      <nav class="tabs" aria-label="Status">
        ${(['open', ...alertStatuses, 'all'] as const).map(tab => tabLink(linkTo({ status: tab }), `${capitalize(tab)} ${counts[tab]}`, tab === status))}
      </nav>
      <form method="get" class="filter">
        <input type="hidden" name="status" value="${status}">
        ${field({ type: 'search', name: 'search', label: 'Search', value: search })}
        ${selectField({ name: 'severity', label: 'Severity', value: severity, options: [['', 'any'], ...severities.map((name): [string, string] => [name, name])] })}
        <button class="plain">Filter</button>
      </form>
      ${alerts.length > 0 ? html`<ul class="rows">${alerts.map(alert => row(context, alert))}</ul>` : html`<p class="empty">No alerts match these filters.</p>`}
      ${rows.length > perPage && html`<p><a href="${linkTo({ before: String(alerts.at(-1)!.iid) })}">Older alerts</a></p>`}`
    )
  })
}

/** Ignores unknown values. */
function readChoice<T extends string>(values: readonly T[], value: string) {
  return values.includes(value as T) ? [value as T] : undefined
}

function listUrl({ projectUrl }: PageContext, query: AlertsQuery) {
  const present = Object.entries(query).filter(([, value]) => value)

  return `${projectUrl}/alerts?${new URLSearchParams(present)}`
}

function capitalize(status: string) {
  return status[0]!.toUpperCase() + status.slice(1)
}

function row(
  { projectUrl }: PageContext,
  { iid, title, severity, status, events, started_at: startedAt, service, environment, assignees }: AlertRow
) {
  const hints = [
    `#${iid}`,
    service,
    environment,
    events > 1 && `${events} times`,
    assignees.map(({ username }) => `@${username}`).join(', ')
  ]

  return html`
    <li>
      <div>
        <p><a href="${projectUrl}/alerts/${iid}"><strong>${title}</strong></a> ${severityBadge(severity)} ${statusBadge(status)}</p>
        <p class="hint">${hints.filter(Boolean).join(' · ')} · started ${ago(new Date(startedAt), new Date())}</p>
      </div>
    </li>`
}
