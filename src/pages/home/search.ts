import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FoundGroup, findGroupsByText } from '#errors/search/found-group-store.ts'
import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import type { Account } from '#lib/caller.ts'
import { type Extra, linksOf } from '#platform/extra.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import { field } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { ago } from '../layout/time.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { myProjects } from './my-projects.ts'

const perKind = 8

/** Finds projects, errors, people and pages. The switcher (Ctrl+K) shows the results of this page. */
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
        ${field({ type: 'search', name: 'q', label: 'Projects, errors, people and pages', value: text, attributes: { autofocus: true, 'data-search': true } })}
        <button>Search</button>
      </form>
      <div data-results>
        ${results.map(({ title, links }) => links.length > 0 && html`<h2>${title}</h2><ul class="rows">${links}</ul>`)}
        ${results.every(({ links }) => links.length === 0) && html`<p class="empty">Nothing matches “${text}”.</p>`}
      </div>`
    )
  })
}

async function findResults(request: FastifyRequest, text: string): Promise<{ title: string; links: Html[] }[]> {
  const { monitored: ids, nameOf } = await myProjects(request.em, request.user)
  const projects = await (await visibleProjects(request.em, request.user, { search: text || undefined, orderBy: 'last_activity_at' })).list(
    perKind,
    0
  )
  const errors = await findGroupsByText(request.em, ids, text, perKind)
  const users = selectUsers(request.em, request.user, { search: text, humans: true })
  const people = text === '' ? [] : await listUsers(request.em, users).list(perKind)

  return [
    { title: 'Projects', links: projects.map(({ id, name, full_path: path }) => row(`/projects/${id}`, name, path)) },
    { title: 'Errors', links: errors.map(error => errorRow(error, nameOf(error.project_id))) },
    { title: 'People', links: people.map(({ name, username }) => row(`/${username}`, name, `@${username}`)) },
    { title: 'Pages', links: findSitePages(request.user, request.server.platform.extras, text).map(({ name, path }) => row(path, name)) }
  ]
}

function errorRow({ id, project_id: projectId, name, description, last_seen_at: at }: FoundGroup, project: string) {
  return row(`/projects/${projectId}/errors/${id}`, name, html`${description.slice(0, 120)} · ${project} · ${ago(at)}`)
}

function row(path: string, name: string, hint?: Html | string) {
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
  { name: 'Sessions', path: '/-/profile/sessions' },
  { name: 'Notification settings', path: '/-/profile/notifications' },
  { name: 'Access tokens', path: '/-/profile/tokens' },
  { name: 'REST API help', path: '/help/api' },
  { name: 'Deprecations', path: '/help/deprecations' },
  { name: 'Users', path: '/admin/users', isForAdmins: true },
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
