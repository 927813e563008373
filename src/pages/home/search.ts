import type { FastifyInstance, FastifyRequest } from 'fastify'
import { searchAlerts } from '#alerts/search/alert-search-store.ts'
import { findGroupsByText } from '#errors/search/found-group-store.ts'
import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import { searchIssues } from '#issues/lists/list-issues.ts'
import type { Account } from '#lib/caller.ts'
import { type Extra, linksOf } from '#platform/extra.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import { field } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import { excerpt, marked } from '../layout/marked.ts'
import { page } from '../layout/page.ts'
import { ago } from '../layout/time.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type MyProjects, myProjects } from './my-projects.ts'

const perKind = 8
const maxText = 120

/** Finds projects, errors, alerts, incidents, issues, people and pages. The switcher (Ctrl+K) shows the results of this page. */
export async function searchPage(app: FastifyInstance) {
  app.get<{ Querystring: { q?: string } }>('/search', { onRequest: requirePerson(app) }, async (request, reply) => {
    const text = String(request.query.q ?? '')
      .replaceAll('\0', '')
      .trim()
      .slice(0, 200)
    const results = await findResults(request, text)

    return page(
      reply,
      { title: 'Search' },
      html`
      <h1>Search</h1>
      <form method="get" action="/search" class="filter">
        ${field({ type: 'search', name: 'q', label: 'Projects, errors, alerts, incidents, issues, people and pages', value: text, attributes: { autofocus: true, 'data-search': true } })}
        <button>Search</button>
      </form>
      <div data-results>
        ${results.map(({ title, links }) => links.length > 0 && html`<h2>${title}</h2><ul class="rows">${links}</ul>`)}
        ${results.every(({ links }) => links.length === 0) && html`<p class="empty">Nothing matches “${text}”.</p>`}
      </div>`
    )
  })
}

interface Results {
  title: string
  links: Html[]
}

async function findResults(request: FastifyRequest, text: string): Promise<Results[]> {
  const mine = await myProjects(request.em, request.user)
  const found = await Promise.all([
    findProjects(request, text),
    ...(text === ''
      ? []
      : [findErrors(request, mine, text), findAlerts(request, mine, text), ...findIssues(request, mine, text), findPeople(request, text)])
  ])
  const sitePages = findSitePages(request.user, request.server.platform.extras, text)

  return [...found, { title: 'Pages', links: sitePages.map(({ name, path }) => row(path, marked(name, text))) }]
}

async function findProjects({ em, user }: FastifyRequest, text: string) {
  const { list } = await visibleProjects(em, user, { search: text || undefined, orderBy: 'last_activity_at' })
  const projects = await list(perKind, 0)

  return {
    title: 'Projects',
    links: projects.map(({ id, name, full_path: path, description }) =>
      row(`/projects/${id}`, marked(name, text), join(marked(path, text), excerptUnless([name, path], [description], text)))
    )
  }
}

async function findErrors({ em }: FastifyRequest, { monitored, nameOf }: MyProjects, text: string) {
  const errors = await findGroupsByText(em, monitored, text, perKind)

  return {
    title: 'Errors',
    links: errors.map(({ id, project_id: project, name, description, actor, status, last_seen_at: at }) => {
      const matched = excerpt([description, actor], text) ?? description.slice(0, maxText)

      return row(`/projects/${project}/errors/${id}`, marked(name, text), join(matched, status, nameOf(project), ago(at)))
    })
  }
}

async function findAlerts({ em }: FastifyRequest, { monitored, nameOf }: MyProjects, text: string) {
  const alerts =
    monitored.length > 0 ? await searchAlerts(em, { projectIds: monitored, search: text }, 'newest').read({ limit: perKind }) : []

  return {
    title: 'Alerts',
    links: alerts.map(({ iid, project_id: project, title, description, service, monitoring_tool: tool, status, started_at: at }) =>
      row(
        `/projects/${project}/alerts/${iid}`,
        marked(title, text),
        join(excerptUnless([title], [description, service, tool], text), status, nameOf(project), ago(new Date(at)))
      )
    )
  }
}

/** Incidents and issues, in projects where the user sees them. */
function findIssues({ em }: FastifyRequest, { withIncidents, nameOf }: MyProjects, text: string) {
  return (['incident', 'issue'] as const).map(async (issueType): Promise<Results> => {
    const filter = { projectIds: withIncidents, search: text, issueType }
    const issues = withIncidents.length > 0 ? await searchIssues(em, filter, 'newest').list(perKind) : []

    return {
      title: issueType === 'incident' ? 'Incidents' : 'Issues',
      links: issues.map(({ iid, project_id: project, title, description, state, created_at: at }) =>
        row(
          `/projects/${project}/${issueType}s/${iid}`,
          html`${marked(title, text)} <span class="hint">#${iid}</span>`,
          join(excerptUnless([title], [description], text), state, nameOf(project), ago(new Date(at)))
        )
      )
    }
  })
}

async function findPeople({ em, user }: FastifyRequest, text: string) {
  const people = await listUsers(em, selectUsers(em, user, { search: text, humans: true })).list(perKind)

  return {
    title: 'People',
    links: people.map(({ name, username }) => row(`/${username}`, marked(name, text), html`@${marked(username, text)}`))
  }
}

/** What matched, when that is not already shown. */
function excerptUnless(shown: string[], hidden: (string | null | undefined)[], text: string) {
  return excerpt(shown, text) ? undefined : excerpt(hidden, text)
}

function join(...hints: (Html | string | undefined)[]) {
  return html`${hints.filter(hint => hint).map((hint, n) => html`${n > 0 && ' · '}${hint}`)}`
}

function row(path: string, name: Html, hint?: Html) {
  return html`<li data-row><div><p><a href="${path}"><strong>${name}</strong></a></p>${hint && html`<p class="hint">${hint}</p>`}</div></li>`
}

interface SitePage {
  name: string
  path: string
  isForAdmins?: boolean
}

const pages: SitePage[] = [
  { name: 'Home', path: '/' },
  { name: 'Alerts of all projects', path: '/alerts' },
  { name: 'Projects', path: '/projects' },
  { name: 'New project', path: '/projects/new' },
  { name: 'New group', path: '/groups/-/new' },
  { name: 'Profile', path: '/-/profile' },
  { name: 'Password', path: '/-/profile/password' },
  { name: 'Two-factor authentication', path: '/-/profile/two_factor' },
  { name: 'Passkeys', path: '/-/profile/passkeys' },
  { name: 'Sessions', path: '/-/profile/sessions' },
  { name: 'Notification settings', path: '/-/profile/notifications' },
  { name: 'Access tokens', path: '/-/profile/tokens' },
  { name: 'REST API help', path: '/help/api' },
  { name: 'Deprecations', path: '/help/deprecations' },
  { name: 'First steps', path: '/first_steps' },
  { name: 'Users', path: '/admin/users', isForAdmins: true },
  { name: 'Settings', path: '/admin/settings', isForAdmins: true },
  { name: 'Address', path: '/admin/settings/address', isForAdmins: true },
  { name: 'Mail', path: '/admin/mail', isForAdmins: true },
  { name: 'Processes and backlogs', path: '/admin/processes', isForAdmins: true },
  { name: 'Health', path: '/admin', isForAdmins: true },
  { name: 'Queues', path: '/admin/queues', isForAdmins: true },
  { name: 'Storages', path: '/admin/storages', isForAdmins: true }
]

/** The pages of the site whose name contains the text. */
function findSitePages(user: Account, extras: Extra[], text: string) {
  const searched = text.toLowerCase()

  const ofExtras = linksOf(extras, 'admin').map(({ name, path }) => ({ name, path: `/admin/${path}`, isForAdmins: true }))

  return [...pages, ...ofExtras].filter(({ name, isForAdmins }) => (user.isAdmin || !isForAdmins) && name.toLowerCase().includes(searched))
}
