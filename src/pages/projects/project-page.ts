import type { FastifyReply } from 'fastify'
import { type Link, linksOf } from '#platform/extra.ts'
import { Role } from '#projects/members/member.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { deletionBanner } from '../namespaces/deletion-mark.ts'
import type { PageContext } from './page-context.ts'

/** The path of a tab, and the role that its page requires. */
const tabs: Required<Link>[] = [
  { path: '', name: 'Overview', role: Role.guest },
  { path: 'errors', name: 'Errors', role: Role.developer },
  { path: 'alerts', name: 'Alerts', role: Role.developer },
  { path: 'incidents', name: 'Incidents', role: Role.reporter },
  { path: 'releases', name: 'Releases', role: Role.developer },
  { path: 'statistics', name: 'Statistics', role: Role.reporter },
  { path: 'setup', name: 'Setup', role: Role.developer },
  { path: 'alert_integrations', name: 'Integrations', role: Role.developer },
  { path: 'notifications', name: 'Notifications', role: Role.developer },
  { path: 'members', name: 'Members', role: Role.guest },
  { path: 'settings', name: 'Settings', role: Role.maintainer }
]

/** The pages of the tab Settings. */
const settingsOfCore = [
  { path: 'settings', name: 'General' },
  { path: 'error_settings', name: 'Error settings' },
  { path: 'alert_settings', name: 'Alert settings' }
]

interface ProjectPage {
  title: string
  tab: string
  /** Beside the name of the project. */
  menu?: Html
}

/** A page of a project with its name and tabs. */
export function projectPage(
  reply: FastifyReply,
  { project, projectUrl, role }: PageContext,
  { title, tab, menu }: ProjectPage,
  content: Html
) {
  const extras = reply.server.platform.extras
  const ofExtras = linksOf(extras, 'project').map(link => ({ role: Role.guest, ...link }))
  const settings = [...settingsOfCore, ...linksOf(extras, 'settings')]
  const isSetting = settings.some(({ path }) => path === tab)

  return page(
    reply,
    { title: `${title} · ${project.name}` },
    html`
    <div class="project">
      <div class="heading"><p class="trail"><a href="/projects">Projects</a> <span aria-hidden="true">/</span> <strong>${project.name}</strong> <span class="hint">${project.fullPath}</span>${project.readOnlyReason && html` <span class="badge">${project.readOnlyReason}</span>`}</p>${menu}</div>
      <nav class="tabs" aria-label="${project.name}">
        ${tabs
          .toSpliced(tabs.findIndex(({ path }) => path === 'incidents') + 1, 0, ...ofExtras)
          .filter(tab => role >= tab.role)
          .map(({ path, name }) =>
            tabLink(path ? `${projectUrl}/${path}` : projectUrl, name, path === tab || (path === 'settings' && isSetting))
          )}
      </nav>
      ${isSetting && html`<nav class="tabs" aria-label="Settings">${settings.map(({ path, name }) => tabLink(`${projectUrl}/${path}`, name, path === tab))}</nav>`}
    </div>
    ${tab !== 'settings' && deletionBanner({ noun: 'project', markedAt: project.markedForDeletionAt, settingsUrl: role >= Role.owner && `${projectUrl}/settings` })}
    ${content}`
  )
}

export function tabLink(path: string, name: string, isCurrent: boolean) {
  return html`<a${attributes({ href: path, 'aria-current': isCurrent && 'page' })}>${name}</a>`
}
