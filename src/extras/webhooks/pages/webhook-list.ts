import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { numberedPage, pager } from '#pages/list.ts'
import type { PagePlace, PlacePages } from '#pages/namespaces/page-place.ts'
import { entityRows } from '#platform/database/list.ts'
import { columnsOf } from '#projects/place.ts'
import { findLastFailures } from '../deliveries/webhook-delivery-store.ts'
import { Webhook } from '../webhook.ts'
import { nounsOf } from './webhook-place.ts'
import { webhookRow } from './webhook-row.ts'

const leads = {
  project: 'When something happens in this project, a request is sent to these URLs.',
  group: 'When something happens in this group, its subgroups and their projects, a request is sent to these URLs.',
  system: 'When something happens anywhere in this installation, a request is sent to these URLs.'
}

/** The webhooks of a place, and how each of them fares. */
export async function webhookListPage(app: FastifyInstance, { path, guard, find }: PlacePages) {
  app.get(path, guard, async (request, reply) => showWebhooks(reply, await find(request)))
}

async function showWebhooks(reply: FastifyReply, place: PagePlace) {
  const { em, owner, url } = place
  const nouns = nounsOf(owner.place)
  const page = await numberedPage(reply.request, entityRows(em, Webhook, columnsOf(owner)))
  const hasNone = page.rows.length === 0 && page.number === 1
  const failing = page.rows.filter(({ recentFailures }) => recentFailures > 0)
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
    <div class="heading"><h1>${nouns.many}</h1>${!hasNone && html`<a class="button" href="${url}/new">New ${nouns.one.toLowerCase()}</a>`}</div>
    <p class="lead">${leads[owner.place]} Requests have GitLab’s format. <a href="/help/api/webhooks">Programs</a> can also manage webhooks.</p>
    ${hasNone ? noWebhooks(place) : html`<ul class="rows webhooks">${page.rows.map(row)}</ul>`}
    ${pager(page, number => `${url}?page=${number}`)}`
  )
}

function noWebhooks({ owner, url }: PagePlace) {
  const nouns = nounsOf(owner.place)

  return html`
    <div class="empty">
      <p>There are no ${nouns.many.toLowerCase()} yet. Connect a build server, a chat or your own program. Requests have GitLab’s format.</p>
      <p><a class="button" href="${url}/new">New ${nouns.one.toLowerCase()}</a></p>
    </div>`
}
