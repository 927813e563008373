import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { findGroupNews } from '#errors/search/found-group-store.ts'
import type { Viewer } from '#identity/viewer.ts'
import { count as inWords } from '#lib/counted.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { formatCount } from '../charts/chart.ts'
import { sparkline } from '../charts/sparkline.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { severityIcon } from '../layout/severity-badge.ts'
import { ago } from '../layout/time.ts'
import { failingChannels } from '../notifications/failing-channels.ts'
import { newProjectButton } from '../projects/new-project-button.ts'
import { projectRow } from '../projects/project-row.ts'
import { type Activity, activityOf, sumOf, total } from './activity.ts'
import { firstSteps } from './first-steps.ts'
import { groupRow, type NameOf } from './home-rows.ts'
import { type MyProjects, myProjects } from './my-projects.ts'
import { findNeeds, type Need } from './needs.ts'

const maxNews = 5
const maxProjects = 12
const dayMs = 86_400_000
const period = 'last 24 hours'
const newErrorsPath = '/errors?query=is:unresolved+is:new'

/** What needs the user, and how their projects are. */
export async function homePage(app: FastifyInstance) {
  app.get('/', { onRequest: app.allowAnyone }, async (request, reply) => {
    const { em, viewer } = request

    if (!viewer) return redirect(reply, '/users/sign_in', 302)
    const mine = await myProjects(em, viewer)
    const button = await newProjectButton(em, viewer)

    return page(
      reply,
      { title: 'Home' },
      mine.projects.length > 0
        ? html`<div class="heading"><h1>Home</h1>${button}</div>${await firstSteps(request, mine)}${await triage(em, viewer, mine)}`
        : html`<h1>Home</h1>${await firstSteps(request, mine)}${noProjects(button)}`
    )
  })
}

async function triage(em: EntityManager, user: Viewer, { projects, monitored, withIncidents, nameOf }: MyProjects) {
  const now = new Date()
  const activity = await activityOf(em, monitored, withIncidents, now)
  const sees = { errors: monitored.length > 0, incidents: withIncidents.length > 0 }

  return html`
    <div id="home" data-live="60"${attributes({ 'data-topics': topicsOf(sees) })}>
      ${await failingChannels(em, monitored, nameOf)}
      ${figures(
        projects.map(({ id }) => activity(id)),
        sees,
        monitored.length === 1 ? `/projects/${monitored[0]}` : undefined
      )}
      <div class="home">
        <div>
          <section><h2>Needs you</h2>${needList(await findNeeds(em, user, { monitored, withIncidents }, now), nameOf, sees, now)}</section>
          ${sees.errors && (await news(em, monitored, { nameOf, newErrorsOf: id => total(activity(id).newErrors), now }))}
        </div>
        <section id="your-projects">
          <h2>Your projects</h2>
          <ul class="rows compact">${projects.slice(0, maxProjects).map(project => projectRow(project, activity(project.id)))}</ul>
          ${projects.length > maxProjects && html`<p><a href="/projects">All ${inWords(projects.length)} projects</a></p>`}
        </section>
      </div>
    </div>`
}

interface Sees {
  errors: boolean
  incidents: boolean
}

/** Events are too many to write the whole page again for each of them. */
function topicsOf({ errors, incidents }: Sees) {
  return [errors && 'new-errors:mine,alerts:mine', incidents && 'issues:mine'].filter(Boolean).join() || undefined
}

/** Figures that the user may not know are left out. Those of a single project lead to its pages. */
function figures(activities: Activity[], sees: Sees, projectUrl?: string) {
  const sum = (read: (activity: Activity) => number) => total(activities.map(read))
  const hourly = (read: (activity: Activity) => number[]) => sumOf(activities.map(read))
  const events = hourly(({ events }) => events)
  // The current hour has only begun.
  const lastHour = events.at(-2) ?? 0

  return html`
    <dl class="triage">
      ${
        sees.errors &&
        figure(
          'New errors',
          total(hourly(({ newErrors }) => newErrors)),
          hourly(({ newErrors }) => newErrors),
          'in 24 hours',
          projectUrl ? projectUrl + newErrorsPath : '#new-errors'
        )
      }
      ${
        sees.errors &&
        figure(
          'Firing alerts',
          sum(({ firing }) => firing),
          hourly(({ alerts }) => alerts),
          'not acknowledged',
          '/alerts'
        )
      }
      ${
        sees.incidents &&
        figure(
          'Open incidents',
          sum(({ openIncidents }) => openIncidents),
          hourly(({ incidents }) => incidents),
          'in all projects',
          '/incidents'
        )
      }
      ${
        sees.errors &&
        figure(
          'Events per minute',
          Math.round((lastHour / 60) * 10) / 10,
          events,
          'in the last full hour',
          projectUrl ? `${projectUrl}/statistics` : '#your-projects'
        )
      }
    </dl>`
}

function figure(name: string, value: number, values: number[], hint: string, url?: string) {
  return html`
    <div>
      <dt>${url ? html`<a href="${url}">${name}</a>` : name}</dt>
      <dd><strong>${formatCount(value)}</strong>${sparkline(values, `${name}, ${period}`)}<span class="hint">${hint}</span></dd>
    </div>`
}

function needList(needs: Need[], nameOf: NameOf, sees: Sees, now: Date) {
  if (needs.length > 0) return html`<ul class="rows compact">${needs.map(need => needRow(need, nameOf, now))}</ul>`
  if (!sees.errors) return html`<p class="empty">Nothing is assigned to you. Errors and alerts are shown to developers of a project.</p>`

  return html`<p class="empty">Nothing needs you: no alert is waiting for acknowledgement, and nothing is assigned to you.</p>`
}

function needRow({ url, kind, title, projectId, severity, reasons, at }: Need, nameOf: NameOf, now: Date) {
  return html`
    <li data-row>
      ${severityIcon(severity)}
      <p><a href="${url}"><strong>${title}</strong></a></p>
      <p class="hint">${[kind, nameOf(projectId), ...reasons].join(' · ')} · ${ago(at, now)}</p>
    </li>`
}

interface News {
  nameOf: NameOf
  newErrorsOf: (projectId: number) => number
  now: Date
}

/** The latest ones, and links to all new ones of each project. */
async function news(em: EntityManager, projectIds: number[], { nameOf, newErrorsOf, now }: News) {
  const groups = await findGroupNews(em, projectIds, new Date(now.getTime() - dayMs), maxNews)
  const projectsWithNews = projectIds.filter(id => newErrorsOf(id) > 0).slice(0, maxProjects)

  return html`
    <section id="new-errors">
      <h2>New and regressed errors of the last 24 hours</h2>
      ${groups.length > 0 ? html`<ul class="rows">${groups.map(group => groupRow(group, nameOf, now))}</ul>` : html`<p class="hint">No new or regressed errors.</p>`}
      ${
        projectsWithNews.length > 0 &&
        html`<p>All new errors: ${projectsWithNews.map((id, n) => html`${n > 0 && ' · '}<a href="/projects/${id}${newErrorsPath}">${nameOf(id)} (${inWords(newErrorsOf(id))})</a>`)}</p>`
      }
    </section>`
}

function noProjects(button: Html) {
  return html`
    <div class="empty">
      <p>You are not a member of any project yet. Create one, or ask to be added to one.</p>
      <p>${button}</p>
    </div>`
}
