import type { FastifyReply } from 'fastify'
import { type Extra, type Link, linksOf } from '#platform/extra.ts'
import { Role } from '#projects/members/member.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import type { NavLink, NavSection } from '../layout/sidebar.ts'
import { deletionBanner } from '../namespaces/deletion-mark.ts'
import type { PageContext } from './page-context.ts'

/** The pages of a project, and the role that each requires. */
const groups: { title?: string; links: Required<Link>[] }[] = [
  { links: [{ path: '', name: 'Overview', role: Role.guest }] },
  {
    title: 'Monitor',
    links: [
      { path: 'errors', name: 'Errors', role: Role.developer },
      { path: 'alerts', name: 'Alerts', role: Role.developer },
      { path: 'incidents', name: 'Incidents', role: Role.reporter },
      { path: 'feedback', name: 'Feedback', role: Role.developer },
      { path: 'monitors', name: 'Monitors', role: Role.developer },
      { path: 'releases', name: 'Releases', role: Role.developer },
      { path: 'statistics', name: 'Statistics', role: Role.reporter }
    ]
  },
  { title: 'Plan', links: [{ path: 'issues', name: 'Issues', role: Role.reporter }] },
  { title: 'Code', links: [] },
  {
    title: 'Configure',
    links: [
      { path: 'setup', name: 'Setup', role: Role.developer },
      { path: 'alert_integrations', name: 'Integrations', role: Role.developer },
      { path: 'notifications', name: 'Notifications', role: Role.developer },
      { path: 'members', name: 'Members', role: Role.guest },
      { path: 'settings', name: 'Settings', role: Role.maintainer }
    ]
  }
]

const settings: Link[] = [
  { path: 'settings', name: 'General' },
  { path: 'error_settings', name: 'Error settings' },
  { path: 'alert_settings', name: 'Alert settings' }
]

interface ProjectPage {
  title: string
  /** The path of its link in the sidebar. */
  tab: string
  /** Beside the name of the project. */
  menu?: Html
}

/** A page of a project, with the project's pages in the sidebar. */
export function projectPage(reply: FastifyReply, context: PageContext, { title, tab, menu }: ProjectPage, content: Html) {
  const { project, projectUrl, role } = context

  return page(
    reply,
    { title: `${title} · ${project.name}`, section: projectSection(context, reply.server.platform.extras, tab) },
    html`
    <div class="heading"><p class="trail"><a href="/projects">Projects</a> <span aria-hidden="true">/</span> <a href="${projectUrl}">${project.name}</a> <span class="hint">${project.fullPath}</span>${project.readOnlyReason && html` <span class="badge">${project.readOnlyReason}</span>`}</p>${menu}</div>
    ${tab !== 'settings' && deletionBanner({ noun: 'project', markedAt: project.markedForDeletionAt, settingsUrl: role >= Role.owner && `${projectUrl}/settings` })}
    ${content}`
  )
}

function projectSection({ project, projectUrl, role }: PageContext, extras: Extra[], tab: string): NavSection {
  const navLink = ({ path, name }: Link): NavLink => ({
    name,
    path: path ? `${projectUrl}/${path}` : projectUrl,
    isCurrent: path === tab
  })
  const code = linksOf(extras, 'code').toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const below = [...settings, ...linksOf(extras, 'settings')].map(navLink)

  return {
    name: project.name,
    groups: groups.map(({ title, links }) => ({
      title,
      links: [...links, ...(title === 'Code' ? code : [])]
        .filter(link => role >= (link.role ?? Role.guest))
        .map(link => (link.path === 'settings' ? { ...navLink(link), children: below } : navLink(link)))
    }))
  }
}

export function tabLink(path: string, name: string, isCurrent: boolean) {
  return html`<a${attributes({ href: path, 'aria-current': isCurrent && 'page' })}>${name}</a>`
}
