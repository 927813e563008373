import type { FastifyInstance, FastifyReply } from 'fastify'
import { type EnvironmentRow, listEnvironments, listMonitors, type MonitorRow } from '#monitors/overview-store.ts'
import { listRuns, type Run } from '#monitors/run-store.ts'
import { Role } from '#projects/members/member.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { numberedPage, pager } from '../list.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { runBars } from './run-bars.ts'
import { scheduleText } from './schedule-text.ts'
import { stateBadge } from './state-badge.ts'

/** Of each monitor; its own page has all. */
const maxEnvironments = 3

/** The recurring jobs of a project, those that fail first. */
export async function monitorsPage(app: FastifyInstance) {
  app.get('/projects/:id/monitors', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)

    return showMonitors(reply, context)
  })
}

async function showMonitors(reply: FastifyReply, context: PageContext) {
  const { em, project, projectUrl } = context
  const page = await numberedPage(reply.request, listMonitors(em, project.id))
  const environments = await listEnvironments(
    em,
    page.rows.map(({ id }) => id)
  )
  const runs = Map.groupBy(
    await listRuns(
      em,
      environments.map(({ id }) => id)
    ),
    ({ environmentId }) => environmentId
  )
  const byMonitor = Map.groupBy(environments, ({ monitorId }) => monitorId)
  const url = `${projectUrl}/monitors`
  const now = new Date()

  return projectPage(
    reply,
    context,
    { title: 'Monitors', tab: 'monitors' },
    html`
    <div class="heading"><h1>Monitors</h1><a class="button" href="${url}/new">New monitor</a></div>
    <p class="lead">Jobs that check in, and URLs that are requested: a run that fails, takes too long or does not begin in time opens an alert.</p>
    ${
      page.rows.length > 0
        ? html`<ul class="rows" data-live="10" id="monitors">${page.rows.map(row => monitorRow(`${url}/${row.slug}`, row, { environments: byMonitor.get(row.id) ?? [], runs, now }))}</ul>`
        : html`<div class="empty"><p>No monitors yet. The first check-in of a job makes one, or make one here: for a job, or for a URL.</p><p><a class="button plain" href="${url}/new">New monitor</a></p></div>`
    }
    ${pager(page, page => `${url}?page=${page}`)}`
  )
}

interface View {
  environments: EnvironmentRow[]
  runs: Map<number, Run[]>
  now: Date
}

function monitorRow(url: string, { name, kind, http, schedule, isMuted, state }: MonitorRow, { environments, runs, now }: View) {
  return html`
    <li>
      <div>
        <p><a href="${url}"><strong>${name}</strong></a> ${stateBadge(state)} ${isMuted && html`<span class="badge">muted</span>`}</p>
        <p class="hint">${http && html`${http.url} · `}${scheduleText(schedule) || 'no schedule'}</p>
        ${environments.slice(0, maxEnvironments).map(
          environment => html`
          <div class="run-line">
            <span>${environment.environment || 'HTTP'}</span>
            ${runBars(runs.get(environment.id) ?? [], kind === 'http')}
            <span class="hint">${environment.lastRunAt ? html`last ${ago(environment.lastRunAt, now)}` : 'never'}</span>
          </div>`
        )}
      </div>
    </li>`
}
