import type { FastifyInstance, FastifyReply } from 'fastify'
import { findAssignedAlerts } from '#alerts/find-open-alerts.ts'
import { redirect } from '#api/redirect.ts'
import { findAssignedGroups, findGroupNews } from '#errors/search/find-groups.ts'
import { callerOf } from '#identity/identify.ts'
import { findOpenIncidents, type OpenIncident } from '#issues/find-open-incidents.ts'
import { severities } from '#lib/severity.ts'
import { Role } from '#projects/members/member.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { failingChannels } from '../notifications/failing-channels.ts'
import { newProjectButton } from '../projects/new-project-button.ts'
import { alertRow, groupRow, incidentRow } from './home-rows.ts'
import { incidentProjectIds, type MyProjects, myProjects } from './my-projects.ts'
import { openAlerts } from './open-alerts.ts'

const maxRows = 10
const dayMs = 86_400_000

/** What needs the user, over all their projects. */
export async function homePage(app: FastifyInstance) {
  app.get('/', { onRequest: app.allowAnyone }, async ({ em, viewer }, reply) => {
    if (!viewer) return redirect(reply, '/users/sign_in', 302)

    const projects = await myProjects(em, viewer, Role.guest)
    const button = await newProjectButton(em, viewer)

    return page(
      reply,
      { title: 'Home' },
      projects.ids.length > 0
        ? html`<div class="heading"><h1>Home</h1>${button}</div>${await needs(reply, projects)}`
        : html`<h1>Home</h1>${noProjects(button)}`
    )
  })
}

async function needs(reply: FastifyReply, { projects, nameOf }: MyProjects) {
  const em = reply.server.platform.fork()
  const user = callerOf(reply.request)
  const { id: userId } = user
  const now = new Date()
  const { ids } = await myProjects(em, user)
  const withIssues = await incidentProjectIds(em, user)
  const incidents = (await findOpenIncidents(em, withIssues, userId, maxRows)).toSorted(bySeverity)
  const alerts = await openAlerts(em, ids, nameOf, maxRows, now)
  const news = await findGroupNews(em, ids, new Date(now.getTime() - dayMs), maxRows)
  const mine = [
    ...incidents.filter(incident => incident.is_assigned).map(incident => incidentRow(incident, nameOf, now)),
    ...(await findAssignedAlerts(em, ids, userId, maxRows)).map(alert => alertRow(alert, nameOf, now)),
    ...(await findAssignedGroups(em, ids, userId, maxRows)).map(group => groupRow(group, nameOf, now))
  ]

  return html`
    <div id="needs" data-live="60">
      ${await failingChannels(em, ids, nameOf)}
      ${list('Assigned to you', mine, 'Nothing is assigned to you.')}
      ${list('Open alerts', alerts.rows, 'No alert is firing.', { url: '/alerts', name: alerts.more })}
      ${list(
        'Open incidents',
        incidents.map(incident => incidentRow(incident, nameOf, now)),
        'No incident is open.',
        { url: '/incidents', name: 'All incidents' }
      )}
      ${list(
        'New and regressed errors of the last 24 hours',
        news.map(group => groupRow(group, nameOf, now)),
        'No new or regressed errors.'
      )}
    </div>
    <h2>Your projects</h2>
    <ul class="rows">${projects.slice(0, maxRows).map(({ id, name, full_path: path }) => html`<li data-row><div><p><a href="/projects/${id}"><strong>${name}</strong></a></p><p class="hint">${path}</p></div></li>`)}</ul>
    ${projects.length > maxRows && html`<p><a href="/projects">All projects</a></p>`}`
}

/** The most severe first, otherwise the newest. */
function bySeverity(one: OpenIncident, other: OpenIncident) {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity)
}

function list(title: string, rows: Html[], empty: string, more?: { url: string; name: string }) {
  return html`<section><h2>${title}</h2>${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="hint">${empty}</p>`}${more && html`<p><a href="${more.url}">${more.name}</a></p>`}</section>`
}

function noProjects(button: Html) {
  return html`
    <div class="empty">
      <p>You are not a member of any project yet. Create one, or ask to be added to one.</p>
      <p>${button}</p>
    </div>`
}
