import type { FastifyReply } from 'fastify'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { tabLink } from '../projects/project-page.ts'

const tabs = {
  '/admin/users': 'Users',
  '/admin/applications': 'Applications',
  '/admin/hooks': 'System hooks',
  '/admin/variables': 'CI variables',
  '/admin/mail': 'Mail',
  '/admin/processes': 'Processes',
  '/admin/queues': 'Queues',
  '/admin/storages': 'Storages',
  '/admin/spam_logs': 'Spam'
}

export type AdminTab = keyof typeof tabs

/** A page of the admin area with links to the others. */
export function adminPage(reply: FastifyReply, { title, tab }: { title: string; tab: AdminTab }, content: Html) {
  return page(
    reply,
    { title },
    html`
    <div class="project"><nav class="tabs" aria-label="Admin">${Object.entries(tabs).map(([path, name]) => tabLink(path, name, path === tab))}</nav></div>
    ${content}`
  )
}
