import type { FastifyInstance } from 'fastify'
import { html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'
import { notificationsUrl } from './frame.ts'

/** Says before a form is filled in that e-mail would not arrive, and what works without a mail server. */
export function mailNotice({ platform }: FastifyInstance, context: PageContext) {
  const isAdmin = context.admin.actor.user?.isAdmin

  if (platform.mail.isConfigured) return undefined

  return html`
    <div class="warning">
      <p><strong>No mail server is configured, so e-mail is not sent.</strong> ${isAdmin ? html`<a href="/admin/mail">Enter one</a>` : 'An administrator can enter one'}.</p>
      <p>ntfy, chat, PagerDuty and webhooks work without one: <a href="${notificationsUrl(context)}/channels/new">connect a channel</a>.</p>
    </div>`
}
