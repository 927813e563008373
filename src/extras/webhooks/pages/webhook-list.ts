import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { pageLinks, perPage } from '#pages/members/page-links.ts'
import type { PagePlace, PlacePages } from '#pages/namespaces/page-place.ts'
import { columnsOf } from '#projects/place.ts'
import { findLastFailures } from '../deliveries/last-failures.ts'
import { Webhook } from '../webhook.ts'
import { nounsOf } from './webhook-place.ts'
import { webhookRow } from './webhook-row.ts'

const maxPage = 1000

const leads = {
  project: 'When something happens in this project, these addresses are sent a request.',
  group: 'When something happens in this group, its subgroups and their projects, these addresses are sent a request.',
  system: 'When something happens anywhere in this installation, these addresses are sent a request.'
}

/** The webhooks of a place, and how each of them fares. */
export async function webhookListPage(app: FastifyInstance, { path, guard, find }: PlacePages) {
  app.get<{ Querystring: { page?: string } }>(path, guard, async (request, reply) => {
    const page = Math.min(maxPage, Number(/^[1-9]\d{0,3}$/.exec(request.query.page ?? '')?.[0] ?? 1))

    return showWebhooks(reply, await find(request), page)
  })
}

async function showWebhooks(reply: FastifyReply, place: PagePlace, page: number) {
  const { em, owner, url } = place
  const nouns = nounsOf(owner.place)
  const where = columnsOf(owner)
  const webhooks = await em.find(Webhook, where, { orderBy: { id: 'asc' }, limit: perPage, offset: (page - 1) * perPage })
  const total = await em.count(Webhook, where)
  const failing = webhooks.filter(({ recentFailures }) => recentFailures > 0)
  const failures = await findLastFailures(
    em,
    failing.map(({ id }) => id)
  )
  const now = new Date()
  const row = (webhook: Webhook) => webhookRow(reply.request, place, { webhook, failure: failures.get(webhook.id), now })

  return place.show(
    reply,
    nouns.many,
    html`
    <div class="heading"><h1>${nouns.many}</h1>${total > 0 && html`<a class="button" href="${url}/new">New ${nouns.one.toLowerCase()}</a>`}</div>
    <p class="lead">${leads[owner.place]} Requests have the shape of GitLab’s; <a href="/help/api/webhooks">programs</a> can manage them, too.</p>
    ${total === 0 ? noWebhooks(place) : html`<ul class="rows webhooks">${webhooks.map(row)}</ul>`}
    ${total > perPage && pageLinks({ page, next: `${url}?page=${page + 1}`, previous: `${url}?page=${page - 1}` }, total)}`
  )
}

function noWebhooks({ owner, url }: PagePlace) {
  const nouns = nounsOf(owner.place)

  return html`
    <div class="empty">
      <p>There are no ${nouns.many.toLowerCase()} yet. Connect a build server, a chat or a program of your own: requests have the shape of GitLab’s.</p>
      <p><a class="button" href="${url}/new">New ${nouns.one.toLowerCase()}</a></p>
    </div>`
}
