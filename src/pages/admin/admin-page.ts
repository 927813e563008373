import type { FastifyReply } from 'fastify'
import { linksOf } from '#platform/extra.ts'
import type { Html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

const pages = [
  { path: '', name: 'Health' },
  { path: 'users', name: 'Users' },
  { path: 'projects', name: 'Projects' },
  { path: 'settings', name: 'Settings' },
  { path: 'applications', name: 'Applications' },
  { path: 'mail', name: 'Mail' },
  { path: 'processes', name: 'Processes' },
  { path: 'queues', name: 'Queues' },
  { path: 'storages', name: 'Storages' },
  { path: 'spam_logs', name: 'Spam' },
  { path: 'audit', name: 'Audit log' }
]

/** A page of the admin area, with the others in the sidebar. `tab` is the path of one of them. */
export function adminPage(
  reply: FastifyReply,
  { title, tab, hasFrame }: { title: string; tab: string; hasFrame?: boolean },
  content: Html
) {
  const links = [...pages, ...linksOf(reply.server.platform.extras, 'admin')].map(({ path, name }) => {
    const url = path ? `/admin/${path}` : '/admin'

    return { name, path: url, isCurrent: url === tab }
  })

  return page(reply, { title, hasFrame, section: { name: 'Admin', groups: [{ links }] } }, content)
}
