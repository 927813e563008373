import type { FastifyInstance } from 'fastify'
import { channels } from '#notifications/channels/channel-resource.ts'
import { listRows } from '#notifications/project-resource.ts'
import { rules } from '#notifications/rules/rule-resource.ts'
import { Role } from '#projects/members/member.ts'
import { html } from '../layout/html.ts'
import { pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { channelsSection } from './channels/channel-list.ts'
import { lastDeliveries } from './deliveries/last-deliveries.ts'
import { levelMenu } from './level-menu.ts'
import { mailNotice } from './mail-notice.ts'
import { mutesSection } from './mute-list.ts'
import { rulesSection } from './rules/rule-list.ts'

/** What the project sends, to whom, and what became of the last messages. */
export async function notificationsOverview(app: FastifyInstance) {
  app.get('/projects/:id/notifications', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const connected = await listRows(context.em, channels, context.project.id)

    return projectPage(
      reply,
      context,
      {
        title: 'Notifications',
        tab: 'notifications',
        menu: await levelMenu(request, context.em, { projectId: context.project.id, groupId: null })
      },
      html`
      <h1>Notifications</h1>
      <p class="lead">Rules decide who is notified about errors, alerts and incidents.</p>
      ${mailNotice(app, context)}
      ${await rulesSection(context, connected, await listRows(context.em, rules, context.project.id))}
      ${await channelsSection(context, connected)}
      ${await mutesSection(request, context)}
      ${await lastDeliveries(context)}`
    )
  })
}
