import type { FastifyReply } from 'fastify'
import { linksOf } from '#platform/extra.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { tabLink } from '../projects/project-page.ts'

const tabs = [
  { path: 'users', name: 'Users' },
  { path: 'applications', name: 'Applications' },
  { path: 'mail', name: 'Mail' },
  { path: 'processes', name: 'Processes' },
  { path: 'queues', name: 'Queues' },
  { path: 'storages', name: 'Storages' },
  { path: 'spam_logs', name: 'Spam' }
]

/** A page of the admin area with links to the others. */
export function adminPage(reply: FastifyReply, { title, tab }: { title: string; tab: string }, content: Html) {
  return page(
    reply,
    { title },
    html`
    <div class="project"><nav class="tabs" aria-label="Admin">${[...tabs, ...linksOf(reply.server.platform.extras, 'admin')].map(({ path, name }) => tabLink(`/admin/${path}`, name, path === tab))}</nav></div>
    ${content}`
  )
}
