import type { FastifyInstance } from 'fastify'
import { channels } from '#notifications/channels/channel-resource.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { deliveryStatuses } from '#notifications/deliveries/delivery.ts'
import { type DeliveryFilter, listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { listRows } from '#notifications/project-resource.ts'
import { selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { deliveryRows, statusTexts } from './delivery-rows.ts'

const perPage = 25

interface Query {
  status?: string
  channel?: string
  before?: string
}

/** The deliveries of the last 30 days, by state and channel. */
export async function deliveriesPage(app: FastifyInstance) {
  app.get<{ Querystring: Query }>('/projects/:id/notifications/deliveries', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { em, project, admin } = context
    const url = notificationsUrl(context)
    const filter = readFilter(request.query, project.id)
    const found = await listDeliveries(em, filter, perPage + 1, admin.config.baseUrl)
    const shown = found.slice(0, perPage)

    return notificationPage(
      reply,
      context,
      'Deliveries',
      html`
      <h1>Deliveries</h1>
      <p class="lead">Messages of the last 30 days, to whom they went, and what became of them.</p>
      ${filterForm(filter, await listRows(em, channels, project.id))}
      ${shown.length > 0 ? deliveryRows(url, shown, new Date()) : html`<p class="empty">No delivery matches.</p>`}
      <nav class="pages" aria-label="Pages">
        ${filter.beforeId && html`<a class="button plain small" href="${pageUrl(url, filter)}">Newest</a>`}
        ${found.length > perPage && html`<a class="button plain small" rel="next" href="${pageUrl(url, filter, shown.at(-1)!.delivery.id)}">Older</a>`}
      </nav>`
    )
  })
}

function readFilter({ status, channel, before }: Query, projectId: number): DeliveryFilter {
  return {
    projectId,
    status: deliveryStatuses.find(one => one === status),
    channelId: readId(channel),
    beforeId: readId(before)
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

function pageUrl(url: string, { status, channelId }: DeliveryFilter, before?: number) {
  const given = Object.entries({ status, channel: channelId, before }).flatMap(([name, value]): [string, string][] =>
    value ? [[name, String(value)]] : []
  )

  return `${url}/deliveries?${new URLSearchParams(given)}`
}
