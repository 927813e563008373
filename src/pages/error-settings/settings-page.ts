import type { FastifyReply } from 'fastify'
import { type Html, html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'
import { projectPage, tabLink } from '../projects/project-page.ts'

const sections = [
  ['', 'General'],
  ['/scrubbing', 'Scrubbing'],
  ['/limits', 'Limits'],
  ['/ownership', 'Ownership'],
  ['/commits', 'Commits'],
  ['/forwarding', 'Forwarding'],
  ['/tracker', 'External tracker']
] as const

type Section = (typeof sections)[number][0]

/** A page of the error settings, with links to the others. */
export function settingsPage(reply: FastifyReply, context: PageContext, section: Section, content: Html) {
  const url = `${context.projectUrl}/error_settings`
  const [, name] = sections.find(([path]) => path === section)!
  const title = section ? `Error settings: ${name}` : 'Error settings'

  return projectPage(
    reply,
    context,
    { title, tab: 'error_settings' },
    html`
    <h1>${title}</h1>
    ${context.isMaintainer && html`<nav class="tabs" aria-label="Error settings">${sections.map(([path, name]) => tabLink(url + path, name, path === section))}</nav>`}
    ${content}`
  )
}
