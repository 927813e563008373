import type { FastifyInstance, FastifyReply } from 'fastify'
import { dailyAlerts } from '#alerts/overview-store.ts'
import { redirect } from '#api/redirect.ts'
import { intervalsOf } from '#errors/groups/frequency.ts'
import { listReleases, type ReleaseRow } from '#errors/releases/find-releases.ts'
import { adoptionOf, crashFreeRate, healthOf, noSessions } from '#errors/releases/release-health.ts'
import { findGroupNews } from '#errors/search/found-group-store.ts'
import { dailyOutcomes } from '#errors/stats/daily-outcomes.ts'
import { projectFrequency } from '#errors/stats/project-frequency.ts'
import { callerOf } from '#identity/identify.ts'
import { findOpenIncidents } from '#issues/incident-store.ts'
import { Role } from '#projects/members/member.ts'
import { barChart } from '../charts/bar-chart.ts'
import { formatCount } from '../charts/chart.ts'
import { total } from '../home/activity.ts'
import { groupRow, incidentRow } from '../home/home-rows.ts'
import { type OpenAlerts, openAlerts } from '../home/open-alerts.ts'
import { type Html, html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { accessButton } from '../members/access-button.ts'
import { failingChannels } from '../notifications/failing-channels.ts'
import { levelMenu } from '../notifications/level-menu.ts'
import { releaseUrl, writeRate } from '../releases/release-row.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { cloneMenu } from './clone-url.ts'
import { intakeHealth } from './intake-health.ts'
import { type PageContext, pageContext } from './page-context.ts'
import { projectPage } from './project-page.ts'

const maxRows = 5
const days = 14
const dayMs = 86_400_000

/** The first page of a project. One that has received nothing yet shows its setup. */
export async function overviewPage(app: FastifyInstance) {
  app.get('/projects/:id', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.guest)

    if (context.role < Role.developer) return showIncidents(reply, context)

    return showOverview(reply, context)
  })
}

async function showOverview(reply: FastifyReply, context: PageContext) {
  const { em, project, projectUrl } = context
  const now = new Date()
  const events = await dailyOutcomes(em, project.id, days, now, 'error')
  const alerts = await dailyAlerts(em, project.id, days, now)
  const open = await openAlerts(em, [project.id], () => '', maxRows, now)
  const releases = await listReleases(em, project.id).list(maxRows)
  const isNew =
    releases.length + events.totals.stored + events.totals.dropped + open.rows.length === 0 && alerts.every(({ alerts }) => alerts === 0)

  if (isNew) return redirect(reply, `${projectUrl}/setup`)

  return projectPage(
    reply,
    context,
    { title: 'Overview', tab: '', menu: await menus(reply, context) },
    html`
    <h1 class="visually-hidden">Overview</h1>
    <div id="overview" data-live="60" data-topics="new-errors:${project.id},alerts:${project.id}${project.issuesAccessLevel !== 'disabled' && `,issues:${project.id}`}">
      ${await failingChannels(em, [project.id])}
      <div class="columns">
        ${await errorChart(context, '24h', [], now)}
        ${await errorChart(context, '14d', releases, now)}
        ${barChart({ title: `Alerts, ${days} days: ${formatCount(total(alerts.map(({ alerts }) => alerts)))}`, times: alerts.map(({ at }) => at), form: 'date', series: [{ name: 'alerts', values: alerts.map(({ alerts }) => alerts) }] })}
        ${intakeHealth(events, days)}
      </div>
      ${await lists(reply, context, releases, open, now)}
    </div>`
  )
}

async function menus({ request }: FastifyReply, context: PageContext) {
  const { em, project, projectUrl, role } = context

  return html`
    <div class="menus">
      ${await accessButton(request, em, { ...project.audited(), role }, `${projectUrl}/members`)}
      ${cloneMenu(context)} ${await levelMenu(request, em, { projectId: project.id, groupId: null })}
    </div>`
}

/** Both charts count events by the time at which they occurred, so that they agree. */
async function errorChart(context: PageContext, period: '24h' | '14d', releases: ReleaseRow[], now: Date) {
  const frequency = await projectFrequency(context.em, context.project.id, period, now)

  return barChart({
    title: `Error events, ${period === '24h' ? '24 hours' : `${days} days`}: ${formatCount(total(frequency.map(({ events }) => events)))}`,
    times: frequency.map(({ at }) => at),
    form: period === '24h' ? 'hour' : 'date',
    series: [{ name: 'events', values: frequency.map(({ events }) => events) }],
    marks: releases.map(({ version, first_seen_at: at }) => ({ at, name: version, url: releaseUrl(context, version) }))
  })
}

async function lists(reply: FastifyReply, context: PageContext, releases: ReleaseRow[], alerts: OpenAlerts, now: Date) {
  const { em, project, projectUrl } = context
  const news = await findGroupNews(em, [project.id], new Date(now.getTime() - dayMs), maxRows)
  const health = await healthOf(
    em,
    project.id,
    releases.map(({ version }) => version),
    { since: intervalsOf('24h', now).first }
  )
  const adoption = releases.length > 0 ? await adoptionOf(em, project.id, undefined, now) : () => null

  return html`
    <div class="columns">
      ${section(
        'New and regressed errors, 24 hours',
        news.map(group => groupRow(group, () => '', now)),
        'No new or regressed errors.',
        { url: `${projectUrl}/errors`, name: 'All errors' }
      )}
      ${section('Open alerts', alerts.rows, 'No alert is firing.', { url: `${projectUrl}/alerts`, name: alerts.more })}
      ${await incidentSection(reply, context, now)}
      ${section(
        'Latest releases',
        releases.map(
          ({ version, first_seen_at: at }) => html`
            <li data-row><div>
              <p><a href="${releaseUrl(context, version)}"><strong>${version}</strong></a></p>
              <p class="hint">first seen ${day(at)}, ${ago(at, now)} · in 24 hours: ${writeRate(crashFreeRate(health.get(version) ?? noSessions))} crash-free sessions, ${writeRate(adoption(version))} adoption</p>
            </div></li>`
        ),
        'No releases yet.',
        { url: `${projectUrl}/releases`, name: 'All releases' }
      )}
    </div>`
}

async function incidentSection(reply: FastifyReply, { em, project, projectUrl }: PageContext, now: Date) {
  if (project.issuesAccessLevel === 'disabled') return undefined
  const incidents = await findOpenIncidents(em, [project.id], callerOf(reply.request).id, maxRows)

  return section(
    'Open incidents',
    incidents.map(incident => incidentRow(incident, () => '', now)),
    'No open incidents.',
    {
      url: `${projectUrl}/incidents`,
      name: 'All incidents'
    }
  )
}

/** Reporters see incidents, guests only that the project is there. */
async function showIncidents(reply: FastifyReply, context: PageContext) {
  return projectPage(
    reply,
    context,
    { title: 'Overview', tab: '', menu: await menus(reply, context) },
    html`<h1>${context.project.name}</h1>${context.role >= Role.reporter ? await incidentSection(reply, context, new Date()) : html`<p class="empty">Errors and alerts are visible to developers of this project.</p>`}`
  )
}

function section(title: string, rows: Html[], empty: string, more: { url: string; name: string }) {
  return html`
    <section>
      <div class="heading"><h2>${title}</h2><a href="${more.url}">${more.name}</a></div>
      ${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="hint">${empty}</p>`}
    </section>`
}
