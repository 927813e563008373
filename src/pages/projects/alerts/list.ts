import type { FastifyInstance } from 'fastify'
import { type AlertStatus, alertStatuses } from '../../../alerts/alert.ts'
import type { ShownAlert } from '../../../alerts/alert-row.ts'
import { type AlertFilter, countByStatus, projectAlerts } from '../../../alerts/list-alerts.ts'
import { severities } from '../../../alerts/severity.ts'
import { Role } from '../../../projects/members/member.ts'
import { field, selectField } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { type Visit, visitOf } from '../page-context.ts'
import { projectPage, tabLink } from '../project-page.ts'

const perPage = 50
const open: AlertStatus[] = ['triggered', 'acknowledged']

interface Asked {
  status?: string
  search?: string
  severity?: string
  before?: string
}

/** What the monitoring tools said, the newest first. */
export async function alertsPage(app: FastifyInstance) {
  app.get<{ Querystring: Asked }>('/projects/:id/alerts', { onRequest: requirePerson(app) }, async (request, reply) => {
    const visit = await visitOf(request, Role.developer)
    const { status = 'open', search = '', severity = '', before = '' } = request.query
    const filter: AlertFilter = {
      projectId: visit.project.id,
      search: search.replaceAll('\0', '').slice(0, 200) || undefined,
      severities: chosen(severities, severity)
    }
    const counts = await countByStatus(visit.em, filter)
    const statuses = status === 'open' ? open : chosen(alertStatuses, status)
    const position = Number.parseInt(before, 10)
    const found = await projectAlerts(visit.em, { ...filter, statuses }).listAfter(
      Number.isSafeInteger(position) ? [position, position] : undefined,
      perPage + 1
    )
    const alerts = found.slice(0, perPage)
    const to = (changes: Asked) => address(visit, { status, search, severity, ...changes })

    return projectPage(
      reply,
      visit,
      { title: 'Alerts', tab: 'alerts' },
      html`
      <h1>Alerts</h1>
      <nav class="tabs" aria-label="Status">
        ${(['open', ...alertStatuses, 'all'] as const).map(one => tabLink(to({ status: one }), `${words(one)} ${counts[one]}`, one === status))}
      </nav>
      <form method="get" class="filter">
        <input type="hidden" name="status" value="${status}">
        ${field({ type: 'search', name: 'search', label: 'Search', value: search })}
        ${selectField({ name: 'severity', label: 'Severity', value: severity, options: [['', 'any'], ...severities.map((one): [string, string] => [one, one])] })}
        <button class="plain">Filter</button>
      </form>
      ${alerts.length > 0 ? html`<ul class="rows">${alerts.map(alert => row(visit, alert))}</ul>` : html`<p class="empty">There are none of these.</p>`}
      ${found.length > perPage && html`<p><a href="${to({ before: String(alerts.at(-1)!.iid) })}">Older ones</a></p>`}`
    )
  })
}

/** What a page was asked for, when there is such a thing. */
function chosen<T extends string>(all: readonly T[], wanted: string) {
  return all.includes(wanted as T) ? [wanted as T] : undefined
}

function address({ root }: Visit, asked: Asked) {
  const given = Object.entries(asked).filter(([, value]) => value)

  return `${root}/alerts?${new URLSearchParams(given)}`
}

function words(status: string) {
  return status[0]!.toUpperCase() + status.slice(1)
}

function row(
  { root }: Visit,
  { iid, title, severity, status, events, started_at: startedAt, service, environment, assignees }: ShownAlert
) {
  const facts = [
    `#${iid}`,
    service,
    environment,
    events > 1 && `${events} times`,
    assignees.map(({ username }) => `@${username}`).join(', ')
  ]

  return html`
    <li>
      <div>
        <p><a href="${root}/alerts/${iid}"><strong>${title}</strong></a> <span class="badge">${severity}</span> <span class="${status === 'resolved' ? 'badge good' : 'badge'}">${status}</span></p>
        <p class="hint">${facts.filter(Boolean).join(' · ')} · began ${ago(new Date(startedAt), new Date())}</p>
      </div>
    </li>`
}
