import type { FastifyReply } from 'fastify'
import { attributes, type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import type { PageContext } from './page-context.ts'

const tabs = [
  { path: 'errors', name: 'Errors' },
  { path: 'alerts', name: 'Alerts' },
  { path: 'incidents', name: 'Incidents' },
  { path: 'alert_integrations', name: 'Integrations' },
  { path: 'alert_settings', name: 'Alert settings', isForMaintainers: true },
  { path: 'error_settings', name: 'Error settings', isForMaintainers: true }
]

interface ProjectPage {
  title: string
  tab: string
}

/** A page of a project with its name and tabs. */
export function projectPage(
  reply: FastifyReply,
  { project, projectUrl, isMaintainer }: PageContext,
  { title, tab }: ProjectPage,
  content: Html
) {
  return page(
    reply,
    { title: `${title} · ${project.name}` },
    html`
    <div class="project">
      <p class="trail"><a href="/projects">Projects</a> <span aria-hidden="true">/</span> <strong>${project.name}</strong> <span class="hint">${project.fullPath}</span></p>
      <nav class="tabs" aria-label="${project.name}">
        ${tabs
          .filter(({ isForMaintainers }) => isMaintainer || !isForMaintainers)
          .map(({ path, name }) => tabLink(`${projectUrl}/${path}`, name, path === tab))}
      </nav>
    </div>
    ${content}`
  )
}

export function tabLink(path: string, name: string, isCurrent: boolean) {
  return html`<a${attributes({ href: path, 'aria-current': isCurrent && 'page' })}>${name}</a>`
}
