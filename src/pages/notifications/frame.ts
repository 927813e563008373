import type { FastifyReply } from 'fastify'
import { type Html, html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'

export function notificationsUrl({ projectUrl }: Pick<PageContext, 'projectUrl'>) {
  return `${projectUrl}/notifications`
}

/** A page about one part of the notifications, with the way back to all of them. */
export function notificationPage(reply: FastifyReply, context: PageContext, title: string, content: Html) {
  return projectPage(
    reply,
    context,
    { title, tab: 'notifications' },
    html`
    <p class="back"><a href="${notificationsUrl(context)}">Notifications</a></p>
    ${content}`
  )
}
