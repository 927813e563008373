import type { FastifyInstance } from 'fastify'
import { channels } from '#notifications/channels/channel-resource.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { deliveryStatuses } from '#notifications/deliveries/delivery.ts'
import { type DeliveryFilter, listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { listRows } from '#notifications/project-resource.ts'
import { selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { byTime, cursorPage, listAddress, pager } from '#pages/list.ts'
import { pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { deliveryRows, statusTexts } from './delivery-rows.ts'

interface Query {
  status?: string
  channel?: string
  cursor?: string
}

/** The deliveries of the last 30 days, by state and channel. */
export async function deliveriesPage(app: FastifyInstance) {
  app.get<{ Querystring: Query }>('/projects/:id/notifications/deliveries', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { em, project, admin } = context
    const url = notificationsUrl(context)
    const filter = readFilter(request.query, project.id)
    const page = await cursorPage(listDeliveries(em, filter, admin.config.baseUrl), request.query.cursor)

    return notificationPage(
      reply,
      context,
      'Deliveries',
      html`
      <h1>Deliveries</h1>
      <p class="lead">Messages from the last 30 days, with their recipients and results.</p>
      ${filterForm(filter, await listRows(em, channels, project.id))}
      ${page.rows.length > 0 ? deliveryRows(url, page.rows, new Date()) : html`<p class="empty">No deliveries match these filters.</p>`}
      ${pager(page, cursor => listAddress(`${url}/deliveries`, { status: filter.status, channel: filter.channelId, cursor }), byTime)}`
    )
  })
}

function readFilter({ status, channel }: Query, projectId: number): DeliveryFilter {
  return {
    projectId,
    status: deliveryStatuses.find(one => one === status),
    channelId: readId(channel)
  }
}

function readId(text: string | undefined) {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined
}

function filterForm({ status, channelId }: DeliveryFilter, channels: NotificationChannel[]) {
  return html`
    <form class="filter" method="get">
      ${selectField({
        name: 'status',
        label: 'State',
        value: status ?? '',
        options: [['', 'all'], ...Object.entries(statusTexts).map(([value, { name }]): [string, string] => [value, name])]
      })}
      ${selectField({
        name: 'channel',
        label: 'Channel',
        value: String(channelId ?? ''),
        options: [['', 'all'], ...channels.map(({ id, name }): [string, string] => [String(id), name])]
      })}
      <button class="plain">Filter</button>
    </form>`
}
